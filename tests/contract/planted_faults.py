"""Faults to plant into a copy of the Japanese overlay, and the check that must find each.

The places are sentences of the shipped texts: a fault whose sentence has been rewritten is planted
anew, in the sentence that says the same now.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Planted:
    """One fault: what stands in a file, what it becomes, and which check must say so."""

    check: str
    file: str
    old: str
    new: str


RETAIL = [
    # numbers, ids, dates, names
    Planted("numbers", "retail/policy.md", "50種類の商品があります", "500種類の商品があります"),
    Planted("numbers", "retail/policy.md", "「02:30:00」は", "「03:20:00」は"),
    Planted("numbers", "retail/policy.md", "の3種類があります", "の4種類があります"),
    Planted("numbers", "retail/tools.yaml", "返金の処理には5〜7営業日", "返金の処理には5〜10営業日"),
    Planted("numbers", "retail/tools.yaml", "例:「1008292230」", "例:「1008292203」"),
    Planted("numbers", "retail/tasks.yaml", "Rossiで、郵便番号は19122です", "Rossiで、郵便番号は19212です"),
    Planted("numbers", "retail/tasks.yaml", "mia.garcia2723@", "mia.garcia2732@"),
    Planted("numbers", "retail/tasks.yaml", "耐水性能はIPX4）を", "耐水性能はIPX7）を"),
    Planted("people", "retail/tasks.yaml", "名前はFatima Johnsonで", "名前はFatima Johanssonで"),
    Planted("people", "retail/tasks.yaml", "あなたの名前はMei Patel", "あなたの名前はメイ・パテル"),
    # placeholders, tags, names
    Planted("placeholders", "retail/messages.yaml", "商品アイテム{item_id}が見", "商品アイテム{id}が見"),
    Planted("placeholders", "retail/messages.yaml", "新しい商品アイテム{new_item_id}は", "新しい商品アイテムは"),
    Planted("names", "retail/policy.md", "transfer_to_human_agentsツール", "有人オペレーターに引き継ぐツール"),
    Planted("emphasis", "retail/policy.md", "- **保留中の注文のキャンセルと変更**", "- 保留中の注文のキャンセルと変更"),
    # structure
    Planted("structure", "retail/policy.md", "### 注文\n", "## 注文\n"),
    Planted("structure", "retail/policy.md", "- 一意の商品ID\n", "* 一意の商品ID\n"),
    # terms and values
    Planted("terms", "retail/policy.md", "ユーザーの依頼は断ってください", "利用者の依頼は断ってください"),
    Planted("terms", "retail/tools.yaml", "郵便番号でユーザーIDを検索", "ZIPコードでユーザーIDを検索"),
    Planted("alternatives", "retail/tools.yaml", "注文のステータスと詳細を取得", "ご注文のステータスと注文の詳細を取得"),
    Planted("alternatives", "retail/policy.md", "- 既定の住所", "- 既定の住所（登録住所）"),
    Planted("terms", "retail/messages.yaml", "支払い方法が見つかりません", "決済手段が見つかりません"),
    Planted("term-values", "retail/values.yaml", "processed: {display: 処理済み}", "processed: {display: 処理完了}"),
    Planted("term-values", "retail/values.yaml", "Backpack: {display: バックパック, accept: [リュックサック, リュック]}", "Backpack: {display: リュック, accept: [リュックサック, バックパック]}"),
    Planted("literals", "retail/policy.md", "ステータスが「保留中」の場合だけです。操作", "ステータスが「保留中の」の場合だけです。操作"),
    Planted("choices", "retail/tools.yaml", "「不要になった」または「誤って注文した」のいずれか", "「不要になった」または「間違い注文」のいずれか"),
    Planted("marked-values", "retail/policy.md", "**処理済み**、**配達済み**", "**処理済み**、**配送完了**"),
    Planted("status-words", "retail/tools.yaml", "ステータスは「返品申請済み」に", "ステータスは「返品受付済み」に"),
    Planted("shown-values", "retail/tasks.yaml", "ワイヤレスイヤホン（色は青", "ワイヤレスイヤフォン（色は青"),
    Planted("named-values", "retail/tasks.yaml", "スマートウォッチと電子書籍リーダーも返品したいから", "賢い時計と電子書籍リーダーも返品したいから"),
    # script, punctuation, register
    Planted("script-spacing", "retail/tools.yaml", "ギフトカードで支払われていた場合", "ギフトカードで 支払われていた場合"),
    Planted("script-spacing", "retail/tasks.yaml", "あなたはmei_kovacs_8020で、郵便番号は28236です", "あなたは mei_kovacs_8020で、郵便番号は28236です"),
    Planted("width", "retail/policy.md", "1つのリストにまとまって", "１つのリストにまとまって"),
    Planted("punctuation", "retail/policy.md", "（ただし、同じユーザーからの複数の依頼には対応できます）", "(ただし、同じユーザーからの複数の依頼には対応できます)"),
    Planted("brackets", "retail/policy.md", "「Tシャツ」という商品には", "「Tシャツという商品には"),
    Planted("register", "retail/messages.yaml", "注文が見つかりません。", "注文が見つからない。"),
    Planted("register", "retail/policy.md", "プロフィールに関する情報をユーザーに提供できます", "プロフィールに関する情報をユーザーに提供できる"),
    Planted("sentence-end", "retail/tools.yaml", "description: ユーザーの名（例:「John」）。", "description: ユーザーの名（例:「John」）"),
    Planted("sentence-end", "retail/messages.yaml", "バリエーションが見つかりません。", "バリエーションが見つかりません、"),
    Planted("leftover", "retail/tools.yaml", "数式を計算し、結果を求めます", "数式を計算し、resultを求めます"),
    Planted("leftover", "retail/values.yaml", "Grill: {display: グリル,", "Grill: {display: Grill台,"),
    Planted("leftover", "retail/values.yaml", "Dumbbell Set: {display: ダンベルセット}", "Dumbbell Set: {display: Dumbbell Set}"),
    Planted("spelling", "retail/policy.md", "既定の住所の変更**", "既定の住所の全ての変更**"),
    Planted("spelling", "retail/tools.yaml", "ユーザーの明示的な同意（はい／いいえ）を求める必要があります。商品", "ユーザの明示的な同意（はい／いいえ）を求める必要があります。商品"),
    Planted("phrases", "retail/say.yaml", "ウォーターボトルを返品される場合", "了解しました。ウォーターボトルを返品される場合"),
    Planted("phrases", "retail/policy.md", "- 支払い履歴\n", "- 支払い履歴のほうをご確認ください\n"),
    # meaning
    Planted("conditions", "retail/policy.md", "1人だけです", "1人です"),
    Planted("conditions", "retail/policy.md", "混同しないでください", "混同してください"),
    Planted("conditions", "retail/tools.yaml", "ユーザーが同意すると、注文の", "そして注文の"),
    Planted("conditions", "retail/messages.yaml", "配達済みではない注文は返品できません", "配達済みの注文は返品できます"),
    Planted("sentences", "retail/policy.md", "本人確認を行わなければなりません。ユーザーがユーザーIDを先に伝えた場合でも、この本人確認は必ず行ってください。", "本人確認を行わなければなりません。"),
    # the text as a whole
    Planted("untranslated", "retail/messages.yaml", "理由が無効です。", "Invalid reason"),
    Planted("duplicates", "retail/messages.yaml", "商品が見つかりません。", "ユーザーが見つかりません。"),
    Planted("whitespace", "retail/policy.md", "- メールアドレス\n", "- メールアドレス \n"),
    Planted("invisible", "retail/tools.yaml", "商品の在庫に関する詳細を", "商品の\u200b在庫に関する詳細を"),
    Planted("length", "retail/tools.yaml", "計算する数式（例:「2 + 2」）。数字、演算子（+、-、*、/）、丸括弧、空白を使用できます。", "数式（2 + 2）。"),
]  # fmt: skip

AIRLINE = [
    Planted("numbers", "airline/policy.md", "超過手荷物は、1個につき50ドル", "超過手荷物は、1個につき60ドル"),
    Planted("numbers", "airline/policy.md", "無料受託手荷物4個", "無料受託手荷物5個"),
    Planted("numbers", "airline/policy.md", "過去24時間以内", "過去48時間以内"),
    Planted("numbers", "airline/policy.md", "2024-05-15 15:00:00", "2024-05-15 16:00:00"),
    Planted("numbers", "airline/tasks.yaml", "予約EHGLP3を", "予約EHGLP8を"),
    Planted("numbers", "airline/tasks.yaml", "生年月日は2001年4月12日）を追加", "生年月日は2001年4月21日）を追加"),
    Planted("people", "airline/tasks.yaml", "あなたの名前はEmma Kim", "あなたの名前はEmma Lee"),
    Planted("placeholders", "airline/messages.yaml", "{date}の{flight_number}便が見", "{date}の便が見"),
    Planted("terms", "airline/policy.md", "1つの予約に含められる搭乗者は", "1つの予約に含められる乗客は"),
    Planted("terms", "airline/policy.md", "旅程の種類を変えない範囲で", "フライト種別を変えない範囲で"),
    Planted("terms", "airline/policy.md", "予約するユーザーがゴールド会員の場合", "予約する顧客がゴールド会員の場合"),
    Planted("marked-values", "airline/policy.md", "**シルバー会員**、", "**銀会員**、"),
    Planted("marked-values", "airline/policy.md", "ステータスが**飛行中**の場合", "ステータスが**運航中**の場合"),
    Planted("literals", "airline/tools.yaml", "旅程の種類（「片道」「往復」など）", "旅程の種類（「one_way」「往復」など）"),
    Planted("literals", "airline/tools.yaml", "「ベーシックエコノミー」「エコノミークラス」「ビジネスクラス」など", "「ベーシックエコノミー」「エコノミー」「ビジネスクラス」など"),
    Planted("conditions", "airline/policy.md", "減らすことはできません", "減らすことができます"),
    Planted("conditions", "airline/policy.md", "100ドルに搭乗者の人数", "100円に搭乗者の人数"),
    Planted("conditions", "airline/policy.md", "ユーザーが明示的に求めない限り", "ユーザーが明示的に求めた場合"),
    Planted("structure", "airline/policy.md", "- 便名\n", "1. 便名\n"),
    Planted("register", "airline/policy.md", "ユーザーが必要としない受託手荷物を追加してはなりません", "ユーザーが必要としない受託手荷物を追加してはならない"),
    Planted("leftover", "airline/messages.yaml", "予約の件数が多すぎます", "Reservationの件数が多すぎます"),
    Planted("spelling", "airline/tools.yaml", "予約全体をキャンセルします", "予約全体をキャンセします"),
    Planted("width", "airline/tasks.yaml", "搭乗者は3名です。", "搭乗者は３名です。"),
]  # fmt: skip

TELECOM = [
    Planted("numbers", "telecom/main_policy.md", "追加購入できるデータ量は最大2GBです", "追加購入できるデータ量は最大3GBです"),
    Planted("numbers", "telecom/tech_support_workflow.md", "わかった場合は、ステップ1.1に進んでください", "わかった場合は、ステップ1.2に進んでください"),
    Planted("numbers", "telecom/tasks.yaml", "電話番号は555-123-2002です。現在、海外の", "電話番号は555-123-2020です。現在、海外の"),
    Planted("icons", "telecom/tech_support_manual.md", "「📵 圏外」", "「圏外」"),
    Planted("icons", "telecom/messages.yaml", "🔒 VPN接続済み", "VPN接続済み"),
    Planted("tags", "prompts.yaml", "引き継がれたら、「###TRANSFER###」トークン", "引き継がれたら、「###TRANSFER##」トークン"),
    Planted("tags", "prompts.yaml", "以下の<policy>に従ってユーザーを", "以下の<ポリシー>に従ってユーザーを"),
    Planted("placeholders", "prompts.yaml", "`{stop_function_name}`ツール", "`done`ツール"),
    Planted("placeholders", "messages.yaml", "呼び出し元「{requestor}」は", "呼び出し元「{requester}」は"),
    Planted("names", "telecom/tech_support_manual.md", "**check_vpn_status** -", "**check_vpn_state** -"),
    Planted("names", "telecom/main_policy.md", "check_payment_requestツールを使って", "確認ツールを使って"),
    Planted("emphasis", "telecom/tech_support_manual.md", "モード`\"4G/5G優先\"`を指定", "モード「4G/5G優先」を指定"),
    Planted("literals", "telecom/tech_support_manual.md", "（`\"4G/5G優先\"`や", "（`\"4G・5G優先\"`や"),
    Planted("literals", "telecom/tech_support_manual.md", "`\"4Gのみ\"`など", "`\"4G専用\"`など"),
    Planted("literals", "telecom/tech_support_manual.md", "permission=\"ストレージ\"", "permission=\"記憶領域\""),
    Planted("status-words", "telecom/tools.yaml", "回線のステータスは「利用中」でなければ", "回線のステータスは「稼働中」でなければ"),
    Planted("term-values", "telecom/values.yaml", "Overdue: {display: 支払い期限超過, accept: [延滞]}", "Overdue: {display: 延滞, accept: [支払い期限超過]}"),
    Planted("terms", "telecom/main_policy.md", "端末を再起動しなければなりません", "デバイスを再起動しなければなりません"),
    Planted("terms", "telecom/tools.yaml", "データセーバーモードがオンかどうかが表示", "節約モードがオンかどうかが表示"),
    Planted("consistency", "telecom/main_policy_solo.md", "回線が利用停止中の場合、ユーザーはサービスを利用できません", "回線が利用停止中のとき、ユーザーはサービスを利用できません"),
    Planted("structure", "telecom/tech_support_workflow_solo.md", "### ステップ1.2", "#### ステップ1.2"),
    Planted("conditions", "telecom/main_policy.md", "利用停止を解除してはなりません", "利用停止を解除してください"),
    Planted("duplicates", "telecom/messages.yaml", "ローミングを無効にしました", "ローミングを有効にしました"),
    Planted("phrases", "oracle.yaml", "ほかにもご希望のお手続きはございますか", "こちらでよろしかったでしょうか"),
    Planted("register", "telecom/tasks.yaml", "スマートフォンには「サービスなし」と表示されています", "スマートフォンには「サービスなし」と表示されている"),
    Planted("sentence-end", "telecom/tools.yaml", "description: 検索する電話番号。", "description: 検索する電話番号"),
]  # fmt: skip

FAULTS = {"retail": RETAIL, "airline": AIRLINE, "telecom": TELECOM}
