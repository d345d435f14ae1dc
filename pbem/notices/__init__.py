"""Who gets which email after something has happened, and what it says; pure.

``audience`` chooses the readers and the kind, ``scene`` holds what a template may name, ``render`` fills those of
``templates/mail``. Each sentence that is no template stands in ``sentences``, by subject. Nothing here is sent.
"""
