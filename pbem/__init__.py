"""Board games by email: inbound messages come in, the rules decide, notices go out. A map, from the top down.

cli        the operator's commands
demo       whole matches through real mail servers on this machine
scheduler  the ticks of one running process
service    the five ports put together: what cli, scheduler and tests call
pipeline   one inbound message, stage by stage; the only code that has effects in order
storage    transactions over the tables            archive   static pages
notices    who is told what, in sentences
advice     what a refused message probably meant; never decides
commands   what players can write, and what follows
match      a match, its players and its fair rolls
inbound    what a person wrote     boards  a board view as text, HTML, SVG, speech
transport  IMAP and SMTP           settings
mail       email as bytes, both ways
system, ports, errors, paths, phrases, redaction
"""

__version__ = "0.1.0"
