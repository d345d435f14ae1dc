"""Board games by email: players send moves as messages, the rules decide, notices go out. A map, from the top down.

cli        the operator's commands
demo       whole matches through real mail servers on this machine
report     what programs find that play a game against themselves
scheduler  the ticks of one running process  intake    its socket, for emails from a pipe   lmtp  from a mail server
worker     processes messages beside it, on a server
rulings    what the operator decides about a match
service    the use cases over the ports: cli, scheduler and tests call it     ownership  whose the mailbox is
heartbeats  that the service lives, so that nobody loses time when it doesn't
robot_turns  lets robots move, one at a time     thinker  a process for each thought     mind  one that stays
robots     what they think
pipeline   one inbound message, stage by stage; all effects happen here, in order
play       a match against robots at the terminal: lines in, texts out
storage    transactions over the tables            archive   static pages, calendars
notices    who gets which email, and what it says
advice     what a rejected message probably meant; never decides
commands   what players can write, and what it changes
match      a match, its players and its fair rolls
inbound    the lines that a person wrote     boards  a board view as text, HTML, SVG
transport  IMAP and SMTP                     settings  what the operator chose
mail       email as bytes: parsed and composed
system, budgets, ports, pipe, errors, paths, phrases, dates, redaction
"""

__version__ = "0.1.0"
