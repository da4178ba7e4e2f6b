def is_communicated(info, text, *, forms=()): return info in text.replace(',','') or any(f in text for f in forms)
def is_communicated_leniently(info, text): return info in text.replace(',','')
