"""Word lists of the attributes people state of themselves: relations, animals, diets, health, work, play."""

from __future__ import annotations

import re

from models.wording.lists import wordset

# Relation → predicate of the fact that somebody stands in it to the user.
_RELATION_ROWS = {
    "married_to": """
        wife husband spouse hubby wifey missus
    """,
    "has_partner": """
        partner girlfriend boyfriend fiancé fiance fiancée fiancee significant-other
    """,
    "has_child": """
        son daughter kid child baby toddler newborn stepson stepdaughter stepchild twins twin-boys twin-girls
        triplets kids children sons daughters boys girls boy girl youngest eldest oldest infant teenager
    """,
    "has_parent": """
        mother mum mom mommy mama father dad daddy papa parents stepmother stepfather stepdad stepmom stepmum
        mam
    """,
    "has_sibling": """
        brother sister sibling twin siblings brothers sisters half-brother half-sister stepbrother stepsister
        bro sis twin-brother twin-sister
    """,
    "has_relative": """
        grandmother grandfather grandma grandpa gran nan nana nonna granny granddad grandad gramps grandparents aunt
        auntie
        aunty uncle cousin
        niece nephew grandson granddaughter grandchild grandchildren grandkids cousins nieces nephews
        mother-in-law father-in-law brother-in-law sister-in-law in-laws son-in-law daughter-in-law family
        relatives godson goddaughter godfather godmother aunts uncles
    """,
    "has_friend": """
        friend mate buddy pal bestie friends mates best-friend
    """,
    "lives_with": """
        roommate flatmate housemate roommates flatmates housemates
    """,
    "has_colleague": """
        boss manager colleague coworker co-worker colleagues coworkers co-workers supervisor teammate
        assistant employee intern cofounder co-founder
    """,
    "knows_person": """
        neighbour neighbor neighbours neighbors ex ex-wife ex-husband ex-boyfriend ex-girlfriend doctor
        therapist teacher landlord landlady coach dentist professor tutor lawyer accountant classmate
        acquaintance mentor client pastor priest student nanny babysitter pen-pal penpal
    """,
}
RELATIONS: dict[str, str] = {word: predicate for predicate, words in _RELATION_ROWS.items() for word in words.split()}
PLURAL_RELATIONS = wordset(
    """
    kids children sons daughters boys girls parents siblings brothers sisters friends mates cousins nieces
    nephews grandparents roommates flatmates housemates colleagues coworkers co-workers neighbours neighbors
    in-laws grandchildren grandkids relatives twins triplets aunts uncles
    """
)
CHILDREN = wordset(
    """
    son daughter kid child baby toddler newborn stepson stepdaughter kids children sons daughters boys girls
    twins triplets stepchild boy girl infant
    """
)
FEMALE = wordset(
    """
    wife girlfriend fiancée daughter mother mum mom sister grandmother grandma gran nan granny aunt auntie niece
    granddaughter stepdaughter missus girl landlady goddaughter mother-in-law sister-in-law stepmother stepmom
    mam mama
    """
)
MALE = wordset(
    """
    husband boyfriend fiancé son father dad brother grandfather grandpa granddad uncle nephew grandson stepson
    hubby boy landlord godson father-in-law brother-in-law stepfather stepdad papa daddy
    """
)

PETS = wordset(
    """
    dog cat puppy kitten pup hamster rabbit bunny parrot budgie goldfish fish ferret ferrets guinea-pig pig
    snake lizard gecko turtle tortoise bird horse pony chicken chickens goat goats hedgehog rat rats mouse mice
    chinchilla iguana bearded-dragon tarantula spider frog axolotl canary cockatiel labrador retriever poodle
    beagle corgi husky dachshund bulldog collie spaniel terrier chihuahua pug boxer dalmatian rottweiler
    greyhound whippet doberman pitbull schnauzer shepherd malamute akita pomeranian shih-tzu tabby siamese
    ragdoll persian bengal sphynx mutt mongrel hound dogs cats puppies kittens hamsters rabbits bunnies parrots
    birds horses ponies snakes turtles tortoises fishes pets pet hens ducks duck alpaca alpacas llama llamas
    canaries cockatiels cockatoo cockatoos macaw macaws finch finches lovebird pigeon pigeons dove doves quail quails
    goose
    geese peacock peacocks guinea-pigs newt newts salamander degu degus koi ducklings chicks foal mare stallion
    sheep donkey donkeys cockapoo labradoodle maltese yorkie gerbil gerbils parakeet parakeets lovebirds budgies
    geckos lizards bees doggo pooch kitty cow cows lab
    """
)
INSTRUMENTS = wordset(
    """
    guitar piano violin viola cello bass drums flute oboe clarinet saxophone sax trumpet trombone tuba harp
    harmonica accordion ukulele banjo mandolin keyboard keyboards organ bagpipes percussion recorder bassoon
    fiddle lute sitar synth synthesizer cajon tabla xylophone marimba horn euphonium cornet keys djembe
    """
)
SPORTS = wordset(
    """
    football soccer tennis basketball baseball hockey cricket rugby golf badminton volleyball squash ping-pong
    table-tennis handball lacrosse softball polo netball futsal padel pickleball ultimate frisbee snooker pool
    darts bowling dodgeball kickball water-polo field-hockey floorball racquetball
    """
)
EXERCISES = wordset(
    """
    run jog swim cycle lift gym yoga pilates crossfit workout hike climb bike row ski surf box dance weights
    marathon boulder skate stretch zumba spin running jogging swimming cycling weightlifting climbing hiking
    bouldering rowing boxing
    """
)
DIETS = wordset(
    """
    vegan vegetarian pescatarian pescetarian flexitarian fruitarian keto ketogenic paleo kosher halal
    gluten-free dairy-free plant-based carnivore omnivore low-carb vegeterian veggie lacto-vegetarian raw-vegan
    teetotal teetotaler teetotaller mediterranean macrobiotic
    """
)
CONDITIONS = wordset(
    """
    diabetic diabetes stammer stutter lisp limp squint asthmatic asthma epileptic epilepsy dyslexic dyslexia autistic
    autism adhd add celiac
    coeliac anemic anaemic anaemia anemia arthritis depression anxiety bipolar ptsd ocd migraines migraine
    hypertension hypothyroidism hyperthyroidism psoriasis eczema crohn's crohns ibs endometriosis pcos
    fibromyalgia lupus ms parkinson's cancer leukemia tinnitus insomnia narcolepsy scoliosis osteoporosis gout
    hemophilia haemophilia hiv hepatitis copd vertigo schizophrenia anorexia bulimia alzheimer's dementia
    glaucoma cataracts sciatica rosacea vitiligo dyspraxia tourette's gerd reflux hayfever rhinitis hypertensive
    prediabetic immunocompromised lactose-intolerant gluten-intolerant colourblind colorblind color-blind
    colour-blind nearsighted shortsighted short-sighted near-sighted arrhythmia pots long-covid neuropathy
    sleep-apnea apnea ulcer colitis hashimoto's fracture hernia concussion sprain
    """
)
DISABILITIES = wordset(
    """
    deaf blind paraplegic quadriplegic amputee disabled wheelchair mute hard-of-hearing hearing-impaired
    partially-sighted visually-impaired
    """
)
RELIGIONS = wordset(
    """
    christian catholic protestant muslim jewish jew hindu buddhist sikh atheist agnostic mormon lutheran
    methodist baptist anglican orthodox pagan wiccan quaker jain taoist presbyterian evangelical pentecostal
    adventist bahai
    """
)
POLITICS = wordset(
    """
    democrat republican liberal conservative socialist libertarian communist anarchist marxist labour tory
    leftist centrist progressive feminist
    """
)
ORIENTATIONS = wordset(
    """
    gay lesbian bisexual bi straight heterosexual homosexual asexual pansexual queer
    """
)
GENDERS = wordset(
    """
    man woman male female boy girl guy nonbinary non-binary trans transgender genderfluid agender dude lady
    genderqueer
    """
)
NATIONALITIES = wordset(
    """
    roma romani sinti kurdish sami maori inuit hispanic latino latina latinx indigenous aboriginal
    american british english scottish welsh irish german french italian spanish portuguese dutch belgian swiss
    austrian polish czech slovak hungarian romanian bulgarian greek turkish russian ukrainian swedish norwegian
    danish finnish icelandic estonian latvian lithuanian serbian croatian bosnian slovenian albanian macedonian
    indian pakistani bangladeshi nepali chinese japanese korean vietnamese thai filipino indonesian malaysian
    singaporean australian canadian mexican brazilian argentinian argentine chilean colombian peruvian
    venezuelan cuban egyptian moroccan algerian tunisian nigerian ghanaian kenyan ethiopian south-african
    israeli lebanese syrian iranian persian iraqi saudi emirati afghan kazakh uzbek georgian armenian
    azerbaijani taiwanese jamaican haitian dominican puerto-rican ecuadorian bolivian uruguayan paraguayan
    maltese cypriot luxembourgish mongolian burmese cambodian lao sri-lankan kiwi aussie texan californian brit
    scot european african asian latino latina hispanic somali sudanese ugandan tanzanian rwandan zimbabwean
    """
)
LANGUAGES = NATIONALITIES | wordset(
    """
    mandarin cantonese hindi urdu bengali tamil telugu gujarati punjabi marathi arabic hebrew farsi tagalog
    swahili zulu afrikaans catalan basque galician gaelic latin esperanto malay yoruba igbo amharic bsl asl
    """
)
FEELINGS = wordset(
    """
    tired exhausted happy sad angry upset bored hungry thirsty sleepy stressed anxious worried excited nervous
    annoyed frustrated overwhelmed lonely grateful thankful relieved fine ok okay good well great confused lost
    curious sorry glad busy done ready back sure unsure late early cold hot sick ill nauseous dizzy sore
    hungover fed-up pleased surprised shocked impressed jealous ashamed embarrassed amazed certain aware
    afraid-not alright alive home here there awake free available kidding joking serious right wrong
    interested-not better worse pumped thrilled stuck bummed devastated heartbroken disappointed
    """
)
TRANSIENT_STATES = wordset(
    """
    fine ok okay good well great sorry glad sure unsure late back done ready confused lost kidding joking
    serious right wrong here there certain aware alright hungry thirsty sleepy tired bored busy cold hot curious
    awake better worse stuck hungover sore dizzy nauseous impressed surprised amazed grateful thankful excited
    pleased annoyed pumped
    """
)
_OCCUPATION_WORDS = wordset(
    """
    nurse doctor vet teacher chef cook florist plumber pilot lawyer attorney surgeon dentist student writer
    author artist actor actress musician singer engineer developer programmer designer architect accountant
    analyst consultant manager director scientist researcher professor librarian journalist photographer barista
    bartender waiter waitress electrician mechanic carpenter welder farmer beekeeper gardener fisherman sailor
    soldier marine officer policeman policewoman firefighter paramedic midwife pharmacist therapist psychologist
    psychiatrist physiotherapist nutritionist dietitian baker butcher tailor hairdresser barber stylist model
    dancer coach trainer athlete cashier clerk secretary receptionist translator interpreter editor publisher
    economist banker trader broker realtor salesman saleswoman entrepreneur founder ceo cto cfo coo freelancer
    intern apprentice housewife homemaker janitor cleaner driver trucker courier postman mailman biologist
    chemist physicist mathematician astronomer geologist historian philosopher archaeologist priest pastor monk
    nun judge politician mayor diplomat detective spy astronaut bricklayer roofer painter sculptor potter
    jeweller jeweler blacksmith brewer winemaker sommelier tutor nanny babysitter caregiver carer lifeguard
    stuntman comedian clown magician dj producer composer conductor illustrator animator streamer youtuber
    influencer blogger copywriter marketer recruiter paralegal radiographer radiologist cardiologist neurologist
    paediatrician pediatrician oncologist dermatologist optometrist optician technician machinist surveyor
    cartographer meteorologist geographer sociologist anthropologist linguist statistician actuary auditor
    bookkeeper tradesman contractor handyman landscaper logger miner rancher veterinarian zookeeper ranger guide
    steward stewardess concierge porter guard bouncer bodyguard warden investigator inspector administrator
    coordinator assistant specialist strategist planner sysadmin devops tester qa dba teller underwriter agent
    representative superintendent principal dean lecturer postdoc hygienist masseuse masseur cobbler seamstress
    weaver quilter glazier joiner cabinetmaker luthier falconer shepherd jockey undertaker mortician botanist
    tiler stonemason mason bookbinder upholsterer thatcher plasterer scaffolder locksmith fishmonger greengrocer
    binman chimney-sweep arborist farrier saddler tanner cooper milliner goldsmith silversmith watchmaker
    glassblower dressmaker physio chiropractor osteopath podiatrist phlebotomist optician orderly ecologist
    zoologist entomologist geneticist microbiologist pathologist neuroscientist oceanographer
    volcanologist professional worker operator supervisor foreman hacker builder roadie usher sommelière
    auctioneer curator archivist editor-in-chief lobbyist activist missionary rabbi imam chaplain stay-at-home
    """
)
_OCCUPATION_ENDING = re.compile(
    r"(?:ologist|ographer|ician|therapist|keeper|maker|smith|wright|monger|engineer|manager|developer|analyst|"
    r"scientist|teacher|trainer|instructor|officer|driver|assistant|attendant|walker|dealer|groomer|seller|"
    r"planner|consultant|designer|worker|specialist)s?$"
)
NOT_OCCUPATIONS = wordset(
    """
    person fan lover member guy man woman girl boy kid child father mother parent dad mum mom son daughter bit
    lot morning night-owl owl foodie homebody beginner expert introvert extrovert perfectionist believer eater
    drinker smoker reader gamer runner collector hiker swimmer learner twin big huge native local resident
    citizen owner supporter follower survivor winner loser newbie noob nerd geek people couple team user
    customer subscriber player singer-not vegetarian vegan non-smoker nonsmoker virgo leo aries taurus gemini
    cancer libra scorpio sagittarius capricorn aquarius pisces widow widower bachelor grandparent grandmother
    grandfather tourist stranger mess idiot
    """
)


def is_occupation(noun: str) -> bool:
    """Whether a noun phrase's head names what somebody does for a living."""
    words = noun.lower().replace("'", "").split()
    if not words:
        return False
    head = words[-1]
    singular = head[:-1] if head.endswith("s") and not head.endswith("ss") else head
    if head in NOT_OCCUPATIONS or singular in NOT_OCCUPATIONS:
        return False
    return head in _OCCUPATION_WORDS or singular in _OCCUPATION_WORDS or _OCCUPATION_ENDING.search(head) is not None


NUMBER_WORDS = wordset(
    """
    one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety
    """
)
_AGE = re.compile(
    r"\d{1,3}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:one|two|three|four|five|six|"
    r"seven|eight|nine))?|" + "|".join(sorted(NUMBER_WORDS))
)


def is_age(words: str) -> bool:
    """Whether the words are a number that may be somebody's age."""
    return _AGE.fullmatch(words.lower()) is not None and not (words.isdigit() and not 1 <= int(words) <= 119)
