"""Board games by email: players send moves as messages, the rules decide, notices go out. A map, from the top down.

cli        the operator's commands, a folder a panel
demo       whole matches through real mail servers on this machine
report     what programs find that play a game against themselves
running    a process that lives: the service over the ports, its ticks, workers, robots' turns, the archive's passes
webhooks   programs of others are called when something happens in a match
due        what time causes: one table of kinds, behind one gate
asking     who is asked what, and what their yes does
pipeline   one inbound message, stage by stage; effects happen here, in due and in asking, in order
play       a match against robots at the terminal: lines in, texts out
storage    transactions over the tables            archive   static pages, feeds, calendars
notices    who gets which email, and what it says
advice     what a rejected message probably meant; never decides
commands   what players can write, and what it changes: a module a family
clubs      what follows from many matches: ratings, reliability, ladders, leagues
match      a match, its players and its fair rolls
inbound    the lines that a person wrote     boards    a board view as text, HTML, SVG
transport  IMAP and SMTP                     settings  what the operator chose
mail       email as bytes: parsed and composed
reading    a line, and what it may mean
robots     what robots think       log   the lines of the log, with nothing in them that is private
ports      what the service needs from outside      errors    what the operator is told in one sentence
version    which one this is          patterns  expressions that are compiled when they are used
"""
