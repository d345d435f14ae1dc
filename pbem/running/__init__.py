"""A process that lives: what `pbem run` and `pbem worker` do, tick by tick, over the ports."""
