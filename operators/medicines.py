"""Medicines as people name them (P4): by the stems that international names share, and by common names and brands.

The stems are those that the WHO gives substances of one effect; whoever takes one has told something of their health.
A list of names is never whole: an unknown brand is told by how it is taken ("20 mg", "twice a day").
"""

from __future__ import annotations

_STEMS = (
    "pril", "sartan", "statin", "(?<=[^lo])olol", "oxacin", "mycin", "cillin", "cycline", "azepam", "azolam",
    "triptan", "gliptin", "gliflozin", "glutide", "zumab", "ximab", "limumab", "tinib", "setron", "dipine",
    "prazole", "thiazide", "semide", "barbital", "coxib", "lukast", "tropium", "racetam", "gabalin", "oxetine",
    "faxine", "trexate", "parin", "xaban", "conazole", "cyclovir", "mectin", "profen", "dronate", "thyroxine",
    "codone", "caine", "vudine", "tegravir",
)  # fmt: skip
_NAMES = (
    "abilify accutane adderall advair advil albuterol allopurinol alprazolam ambien amitriptyline amlodipine "
    "anastrozole antihistamines? arimidex aripiprazole aspirin ativan atomoxetine azathioprine baclofen benadryl "
    "benzos? beta[- ]?blockers? botox budesonide buprenorphine bupropion buspirone carbamazepine cetirizine cialis "
    "citalopram claritin clexane clonidine clopidogrel clozapine codeine concerta cortisone cymbalta cyclosporine "
    "depakote desloratadine dexamethasone digoxin dilantin donepezil dupixent duloxetine effexor eliquis enbrel "
    "entresto epipen escitalopram estradiol eutirox euthyrox farxiga fentanyl finasteride flonase fluticasone "
    "gabapentin glimepiride humalog humira hydrocortisone hydroxychloroquine imatinib imodium insulin isotretinoin "
    "januvia jardiance keppra ketamine klonopin lamictal lamotrigine lantus lasix letrozole levodopa levothyroxine "
    "lexapro lipitor loratadine lunesta lyrica mesalamine metamizole metformin methadone methimazole "
    "methylphenidate methylprednisolone minoxidil mirtazapine modafinil mounjaro naloxone naltrexone naproxen "
    "narcan nexium novalgin novolog olanzapine opiates? opioids? oxycontin ozempic paracetamol paxil paxlovid "
    "percocet phenytoin plavix prednisolone prednisone pregabalin prilosec pristiq propecia prozac quetiapine "
    "quviviq remicade repatha risperdal risperidone ritalin ropinirole saxenda seroquel sertraline sildenafil "
    "singulair skyrizi spironolactone spiriva strattera stelara suboxone sumatriptan symbicort synthroid tacrolimus "
    "tadalafil tamoxifen tamsulosin tegretol temazepam topamax topiramate tramadol trazodone trulicity truvada "
    "tylenol valium valproate valproic valtrex ventolin viagra victoza vicodin voltaren vraylar vyvanse warfarin "
    "wegovy wellbutrin xanax xarelto xeljanz xolair zepbound zoloft zolpidem zyprexa zyrtec "
)
_PHRASES = ("birth control pills?", "testosterone (?:gel|shots?|injections?)", "prep(?= (?:for hiv|every|daily))")

PATTERNS = (
    rf"\w{{3,}}(?:{'|'.join(_STEMS)})",
    *_NAMES.split(),
    *_PHRASES,
    r"\d[\d.,]* ?(?:mg|mcg|µg|milligrams?)",
    r"(?:sleeping|pain|blood pressure|water|diet) (?:pills?|tablets?)",
    r"painkillers?",
    r"inhalers?",
    r"takes? (?!photos|pictures|notes|walks|naps|breaks|baths|showers|class|it\b|them\b)[\w-]+"
    r" (?:once|twice|three times|\d times) (?:a day|daily)",
    r"(?:takes?|taking|on) (?:\w+ )?(?:pills|tablets|capsules|statins|steroids|antibiotics|blood thinners)",
)
"""Expressions of words and phrases that tell of a medicine."""
