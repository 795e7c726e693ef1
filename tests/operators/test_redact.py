from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.redact import KINDS, redact, redact_slot

# (what must go, its kind, a text that holds it); invented or published as examples
FOUND = [
    ("sk-live-9Qd2LmX7pRt4Vb8NzK3w", "secret", "Our key is sk-live-9Qd2LmX7pRt4Vb8NzK3w, keep it."),
    ("ghp_16C7e42F292c6912E7710c838347Ae178B4a", "secret", "push with ghp_16C7e42F292c6912E7710c838347Ae178B4a please"),
    ("AKIAIOSFODNN7EXAMPLE", "secret", "AWS: AKIAIOSFODNN7EXAMPLE"),
    ("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "secret", "the secret wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY goes"),
    ("xoxb-2048-4096-abcDEF123", "secret", "slack bot xoxb-2048-4096-abcDEF123"),
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2ln", "secret", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2ln fails"),
    ("4eC39HqLyjWDarjtT1zdp7dc", "secret", "try 4eC39HqLyjWDarjtT1zdp7dc instead"),
    ("a1b2c3d4e5f6a7b8", "secret", "api_key=a1b2c3d4e5f6a7b8"),
    ("99aa88bb77cc66dd", "secret", "Authorization: Bearer 99aa88bb77cc66dd"),
    ("s3cr3t", "secret", "it is postgres://app:s3cr3t@db.local:5432/main"),
    ("MIIEow", "secret", "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----"),
    ("zx81-rules", "secret", "the wifi password is zx81-rules"),
    ("Tr0ub4dor&3", "secret", "I changed my password for Netflix to Tr0ub4dor&3 yesterday."),
    ("swordfish", "secret", "My password is swordfish."),
    ("opensesame", "secret", 'the passphrase is "opensesame" for now'),
    ("hunter2", "secret", "hunter2 is my password"),
    ("hunter2", "secret", "login admin password hunter2"),
    ("correct horse battery staple", "secret", "my seed phrase is correct horse battery staple"),
    ("geheim77", "secret", "Mein Passwort ist geheim77."),
    ("soleil99", "secret", "Mon mot de passe est soleil99"),
    ("abc12345", "secret", "我的密码是abc12345"),
    ("4471", "secret", "my pin is 4471"),
    ("2580", "secret", "The code for the front door is 2580, come in."),
    ("737", "secret", "and the CVV is 737"),
    ("5500 0055 5555 5559", "payment_card", "use 5500 0055 5555 5559 please"),
    ("3714-496353-98431", "payment_card", "amex 3714-496353-98431 exp 12/27"),
    ("6011000990139424", "payment_card", "6011000990139424"),
    ("1234 5678 9012 3456", "payment_card", "my card is 1234 5678 9012 3456"),
    ("GB82 WEST 1234 5698 7654 32", "iban", "pay GB82 WEST 1234 5698 7654 32 and tell me"),
    ("nl91abna0417164300", "iban", "nl91abna0417164300"),
    ("20481632", "bank_account", "my account number is 20481632"),
    ("0x52908400098527886E0F7030069857D2E4169EE7", "wallet", "send to 0x52908400098527886E0F7030069857D2E4169EE7"),
    ("219-09-9999", "national_id", "my social is 219-09-9999"),
    ("123456789", "national_id", "social security number: 123456789"),
    ("C01X00T47", "national_id", "my passport number is C01X00T47 and I fly"),
    ("QQ 12 34 56 C", "national_id", "NI: QQ 12 34 56 C"),
    ("12345678Z", "national_id", "soy 12345678Z"),
    ("RSSMRA85T10A562S", "national_id", "RSSMRA85T10A562S"),
    ("lea.k+news@post.example.com", "email", "write to lea.k+news@post.example.com."),
    ("lea at post dot com", "email", "lea at post dot com"),
    ("jo@example.org", "email", "我的邮箱是jo@example.org谢谢"),
    ("(555) 123-4567", "phone", "call me at (555) 123-4567 tomorrow"),
    ("415-555-2671", "phone", "415-555-2671"),
    ("+44 20 7946 0958", "phone", "reach me: +44 20 7946 0958"),
    ("+919876543210", "phone", "+919876543210"),
    ("06 12 34 56 78", "phone", "mon numéro: 06 12 34 56 78"),
    ("0151 23456789", "phone", "Meine Handynummer ist 0151 23456789."),
    ("555-0123", "phone", "my phone is 555-0123"),
    ("12 Elm Street", "address", "I live at 12 Elm Street, Springfield"),
]  # fmt: skip

# the same in other words, as people say it
SAID = [
    ("dragonfly", "my password is dragonfly"),
    ("Blue42fish", "DB_PASS=Blue42fish"),
    ('sk-proj-Ab12Cd34Ef56Gh78Ij90Kl12Mn34', 'My OpenAI key is sk-proj-Ab12Cd34Ef56Gh78Ij90Kl12Mn34'),
    ('pk_test_51H8xYz2eZvKYlo2C', 'The API key pk_test_51H8xYz2eZvKYlo2C is for Stripe'),
    ('glpat-x7Yq2ZkLm9PwRt5VbN3s', "here's the token: glpat-x7Yq2ZkLm9PwRt5VbN3s"),
    ('Sunflower88', 'My wifi password is Sunflower88 and I live in Graz.'),
    ('Sunflower88', 'wifi pw: Sunflower88'),
    ('Sunflower88', 'pw is Sunflower88'),
    ('blue-horse-42', 'The password for the router: blue-horse-42'),
    ('904512', 'my passcode is 904512'),
    ('4821', 'PIN: 4821'),
    ('4821', 'my bank PIN is 4821, I think'),
    ('48 21', 'My debit card pin is 48 21'),
    ('7788', 'the alarm code is 7788'),
    ('Tiger!2020', 'log in with jo / Tiger!2020'),
    ('tiger', 'username: jo password: tiger'),
    ('tiger99', 'user jo, pass tiger99'),
    ('536-22-8145', 'My SSN is 536-22-8145.'),
    ('536 22 8145', 'my social security number is 536 22 8145'),
    ('536228145', 'SSN 536228145'),
    ('X4829103', 'my passport: X4829103'),
    ('482910377', 'Passport no. 482910377'),
    ('D1234567', "My driver's license number is D1234567"),
    ('MORGA657054SM9IJ', 'driving licence MORGA657054SM9IJ'),
    ('12-3456789', 'My tax ID is 12-3456789'),
    ('4012 8888 8888 1881', 'My Visa 4012 8888 8888 1881 expires 04/29'),
    ('4012888888881881', 'card number 4012888888881881, cvv 123'),
    ('5105-1051-0510-5100', 'Mastercard: 5105-1051-0510-5100'),
    ('378282246310005', 'amex 378282246310005'),
    ('DE89370400440532013000', 'My IBAN: DE89370400440532013000'),
    ('FR14 2004 1010 0505 0001 3M02 606', 'IBAN FR14 2004 1010 0505 0001 3M02 606'),
    ('70872490', 'sort code 40-47-84 account 70872490'),
    ('000123456789', 'routing 021000021 account 000123456789'),
    ('70872490', 'my account no is 70872490'),
    ('07700 900123', 'call me on 07700 900123'),
    ('07700900123', "my number's 07700900123"),
    ('212-555-0187', 'text 212-555-0187 anytime'),
    ('555-0187', 'reach me at +1 (212) 555-0187'),
    ('151 23456789', '+49 151 23456789 is my mobile'),
    ('5550187', 'my phone number is 5550187'),
    ('020 7946 0018', 'ring me: 020 7946 0018'),
    ('2125550187', 'my cell is 2125550187'),
    ('089/1234567', 'tel. 089/1234567'),
    ('0171-1234567', 'Mein Handy: 0171-1234567'),
    ('612 345 678', 'mi número es 612 345 678'),
    ('0612345678', 'mon tel 0612345678'),
    ('347 1234567', 'il mio numero è 347 1234567'),
    ('anna.k@mail.example.co.uk', 'write to anna.k@mail.example.co.uk please'),
    ('anna[at]example[dot]com', 'anna[at]example[dot]com'),
    ('anna (at) example.com', 'anna (at) example.com'),
    ('ANNA@EXAMPLE.COM', "My email's ANNA@EXAMPLE.COM"),
    ('b3BlbnNz', 'ssh key: -----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNz'),
    ('toor', 'DATABASE_URL=mysql://root:toor@localhost/db'),
    ('wJalrXUtnFEMI', 'export AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYzEXAMPLEKEY'),
    ('8f14e45fceea167a5a36dedd4bea2543', 'client_secret: 8f14e45fceea167a5a36dedd4bea2543'),
    ('ABCD-1234-EFGH-5678', 'the license key is ABCD-1234-EFGH-5678'),
    ('tiger moon', 'My recovery phrase: apple river stone cloud tiger moon'),
    ('482913', '2FA code 482913'),
    ('2345 6789 0124', 'My Aadhaar is 2345 6789 0124'),
    ('390.533.447-05', 'CPF 390.533.447-05'),
    ('ABCPE1234F', 'my PAN is ABCPE1234F'),
    ('943 476 5919', 'My NHS number is 943 476 5919'),
    ('12345678Z', 'DNI 12345678Z'),
    ('811228-9874', 'personnummer 811228-9874'),
    ('11010519491231002X', '身份证号是11010519491231002X'),
    ('13812345678', '电话是13812345678'),
    ('42 Wallaby Way', 'my address is 42 Wallaby Way, Sydney'),
    ('7 Oak Lane', 'We live at 7 Oak Lane.'),
    ('Schillerstraße 12', 'Ich wohne in der Schillerstraße 12.'),
    ('zX9-qq7-Lm2-0pT', 'secret token "zX9-qq7-Lm2-0pT"'),
    ('Mouse#77', 'My Netflix login is jo@x.org / Mouse#77'),
    ('4111111111111111', 'my credit card is 4111111111111111 ok'),
    ('5591', 'the code to my front door is 5591'),
    ('12-34-56', 'The combination of my safe is 12-34-56'),
    ('Kitten_2011', 'I set the password as Kitten_2011'),
    ('winter is coming', "New password = 'winter is coming'"),
    ('Abc!123', 'Password is: Abc!123'),
    ('hunter2', "my password's hunter2"),
    ('qwerty', 'password → qwerty'),
    ('1234', 'Her pass code: 1234'),
    ('EAACEdEose0cBA12345678ZCxyz', 'access token EAACEdEose0cBA12345678ZCxyz'),
    ('AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw', 'telegram bot 110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw'),
    ('1BoatSLRHtKNngkdXEeobR76b53LETtpyT', 'my bitcoin wallet 1BoatSLRHtKNngkdXEeobR76b53LETtpyT'),
    ('ac0974bec39a', 'seed: 0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'),
    ('four two seven one', 'ok so my pin is four two seven one'),
    ('forty-four nineteen', "my passcode's forty-four nineteen"),
    ('sieben drei neun zwei', 'Meine PIN ist sieben drei neun zwei.'),
    ('blue heron forty two', 'my password is blue heron forty two so type that in'),
    ('nine nine one two', 'visa four four eight five, nine nine one two, three three oh seven, eight one two six'),
    ('double oh nine hundred', 'call me on oh seven seven double oh nine hundred one two three'),
    ('five three six', 'my social security number is five three six, two two, eight one four five'),
    ('four one nine three three', 'it is two four one nine three three eight oh one two two seven'),
    ('jane dot doe', 'mail me: jane dot doe at gmail dot com'),
    ('fritz punkt walter', 'Mail an fritz punkt walter at gmx punkt de'),
    ('luisa punto', 'mi correo es luisa punto perez arroba gmail punto com'),
    ('2580', 'gate code 2580*'),
    ('1974', 'Door code: 1974'),
    ('B4821', 'le code de la porte est B4821'),
    ('3-3-7-9', 'For the garage, press 3-3-7-9'),
    ('1HGCM82633A004352', 'is 1HGCM82633A004352 recalled?'),
    ('WBA3A5C57DF356499', 'my VIN: WBA3A5C57DF356499'),
    ('84.137.22.190', 'my home ip is 84.137.22.190'),
    ('10.0.0.12', 'I set my static ip to 10.0.0.12.'),
    ('d5aa:13ff', 'my ipv6 is 2a02:8109:9c40:1f2c:d5aa:13ff:fe90:7b21'),
    ('3c:22:fb:91:0a:7e', "my laptop's MAC is 3c:22:fb:91:0a:7e"),
    ('marlene.paints', 'my instagram is @marlene.paints'),
    ('northpine', 'add me on discord: northpine#4471'),
    ('lena.codes', 'you can find me on Instagram as lena.codes'),
    ('petra-novotna', "here's my profile: https://www.linkedin.com/in/petra-novotna-8812ab/"),
    ('LS2 7QR', '14 Quarry Hill, Leeds LS2 7QR'),
    ('60614', '2207 N Larchmont Ave Apt 3B, Chicago, IL 60614'),
    ('Hauptstraße 5', 'Das Paket geht an Hauptstraße 5, 10115 Berlin'),
    ('1016 GV', 'Het is Prinsengracht 263, 1016 GV Amsterdam'),
    ('EH6 7QT', 'post code EH6 7QT, house number 12'),
    ('181/815/08155', 'Meine Steuernummer ist 181/815/08155'),
    ('HX-7741920-B', 'policy number is HX-7741920-B with Allianz'),
    ('0048213377', 'my member number is 0048213377'),
    ('C4X7R29KT', 'My passport number is C4X7R29KT'),
    ('B072RRE2I55', 'licence number is B072RRE2I55'),
    ('P0093381', 'my patient number is P0093381'),
    ('PX 339912 77', 'My insurance policy number is PX 339912 77'),
    ('left 7', 'The combination to the safe is left 12, right 34, left 7'),
    ('4471', "my ssn's last four are 4471"),
    ('5 Rue de la Paix', 'I live at 5 Rue de la Paix, 75002 Paris'),
    ('43211', 'Send it to 1428 Elm Street, Springwood, Ohio 43211'),
    ('M482910337', 'Krankenversichertennummer M482910337'),
]  # fmt: skip

KEPT = [
    "My order number is 88213-AB and the quote was 49 euros, where is it?",
    "order 112-3456789-1234567 shipped, tracking 1Z999AA10123456784",
    "I was born on 1990-05-03, moved in 2015 and stayed 2019-2021.",
    "My birthday is 3 May 1988 and I am 36.",
    "It costs 1,200,000 dollars, or $1200000000 in all.",
    "The meeting is on 2026-11-02 at 09:15:00 in room 4471.",
    "The password is wrong again.",
    "My password is really long.",
    "I forgot my password and had to reset it in 2024.",
    "The keys are on the table and the secret is practice.",
    "My keyboard has 104 keys.",
    "He is a key person and the token gesture was nice.",
    "I lost my passport in 2019.",
    "My dress code is casual, my zip code is fine.",
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8 broke it",
    "uuid 123e4567-e89b-12d3-a456-426614174000",
    "I live 5 minutes from the main street.",
    "We moved to 3 different places on the way.",
    "I run 10 km, 3 times a week, since 2011 2012 2013.",
    "version 1.2.3.4567890, then 2.4.1.7; section 4.2.1.3",
    "We upgraded to 120.12.33.45 on 127.0.0.1, netmask 255.255.255.0.",
    "I counted one two three four five six seven eight nine ten.",
    "My cats are four, five and eleven and my pin is four out of ten.",
    "I have twenty two thousand five hundred followers on Instagram, and I follow @nasa.",
    "Her number one hit was in nineteen eighty four.",
    "My password is kept for two or three years.",
    "The password must have between eight and twenty characters.",
    "The building takes 300 people, the gate is 1500 m away.",
    "The building code of 2018 applies to our house.",
    "Gate B12 opens at 10:45 for flight LH400.",
    "I paid the insurance 4500 last year, and I am a member since 2009.",
    "Windows 11, 2024 Edition",
    "We looked at dot com stocks at work.",
    "I have 2 cats, 1 dog and 1000000 problems",
    "Meet me at 5 at the dot of the map",
    "ich wohne seit drei Jahren in Leipzig",
    "https://example.com/a/very/long/path/with-Words-And-2024-Numbers",
    "My user name is lea and I log in daily.",
    "I set a new password / passphrase policy for our users.",
    "We passed level 10 and won 3 medals.",
    "The alarm code was changed in 2020.",
    "My licence plate is old and my licence is from 12.05.2015.",
    "I pass 2 exams a year.",
    "export BYPASS=yes2024",
    "My password is obviously",
    "My account has 12 followers, my blog 4500.",
    "I spell it @lea on every network",
]


@pytest.mark.parametrize(("secret", "kind", "text"), FOUND, ids=[f"{kind}-{secret[:12]}" for secret, kind, _ in FOUND])
def test_what_p2_names_leaves_the_text(secret: str, kind: str, text: str) -> None:
    """P2."""
    clean, kinds = redact(text)
    assert secret not in clean
    assert f"[redacted:{kind}]" in clean
    assert kind in kinds


@pytest.mark.parametrize(("secret", "text"), SAID)
def test_what_p2_names_leaves_the_text_however_it_is_said(secret: str, text: str) -> None:
    """P2."""
    clean, kinds = redact(text)
    assert secret not in clean
    assert kinds
    assert redact(clean) == (clean, ())


@pytest.mark.parametrize("text", KEPT)
def test_ordinary_numbers_dates_prices_and_words_stay(text: str) -> None:
    """P2, P39: order numbers, prices and dates are no secrets."""
    assert redact(text) == (text, ())


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        (
            "The printer password is oak-Tr33!fern and I prefer tea to cocoa.",
            "The printer password is [redacted:secret] and I prefer tea to cocoa.",
        ),
        ("my password is saved and my dog is Rex.", "my password is saved and my dog is Rex."),
        ("I lost the password so I reset it to swordfish.", "I lost the password so I reset it to [redacted:secret]."),
        ("my login password leaked and my pin is kestrel", "my login password leaked and my pin is [redacted:secret]"),
    ],
)
def test_what_is_told_beside_a_secret_stays(text: str, clean: str) -> None:
    """P2"""
    assert redact(text)[0] == clean


def test_the_neighbours_of_a_secret_stay() -> None:
    """P2."""
    text = "The deploy key is sk-live-9Qd2LmX7pRt4Vb8NzK3w, and I prefer oak over pine. Mail jo@example.org!"
    assert redact(text) == (
        "The deploy key is [redacted:secret], and I prefer oak over pine. Mail [redacted:email]!",
        ("secret", "email"),
    )


def test_the_town_of_an_address_stays() -> None:
    """P2: a city is factual identity, the street and the postcode are contact data."""
    text = "I live at 14 Quarry Hill, Leeds LS2 7QR and love it."
    assert redact(text)[0] == "I live at [redacted:address], Leeds [redacted:address] and love it."


def test_an_expiry_date_after_a_card_stays_apart_from_it() -> None:
    assert redact("4111-1111-1111-1111 12/27")[0] == "[redacted:payment_card] 12/27"


def test_a_slot_whose_name_says_it_is_redacted_whole() -> None:
    """P2: the value itself looks like any word."""
    assert redact_slot("wifi_password", "swordfish") == ("[redacted:secret]", ("secret",))
    assert redact_slot("e-mail", "n/a given") == ("[redacted:secret]", ("secret",))
    assert redact_slot("city", "Porto") == ("Porto", ())


_PIECES = st.one_of(
    st.sampled_from([text for _, _, text in FOUND] + KEPT),
    st.sampled_from(
        ["password", " is ", ": ", "key ", "4111 1111 1111 1111", "call ", "1", " ", "@", ".", "passport "]
    ),
    st.text(max_size=12),
)


@given(st.lists(_PIECES, max_size=8).map(" ".join))
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    """P2: what is masked stays as it is wherever it is masked again."""
    clean, kinds = redact(text)
    assert set(kinds) <= set(KINDS)
    assert redact(clean)[0] == clean


@given(st.text())
def test_any_text_can_be_redacted(text: str) -> None:
    """S3."""
    clean, kinds = redact(text)
    assert (clean == text) == (not kinds)
