"""Lists every text of the installed tau2 that a locale renders, each with its address.

Reads tool sources by syntax tree and data as data. An overlay gives facts only, such as which field
is looked up in which table; none of its texts is read here, and nothing is written.
"""
