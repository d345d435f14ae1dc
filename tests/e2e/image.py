"""The image of deploy/Containerfile and the services of deploy/compose.yaml, carried out by a shell on a bare machine.

What Docker does beside them is not tried, such as fetching images, and neither are the images of others.
"""

import re
import shlex
from pathlib import Path
from shutil import copy

_DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
_FUNCTIONS = """
make() {{ [ "$*" = wheel ]; }}  # it has been made
build() {{
    {build}
    # A volume begins with what the image has in its place; all else can't be written to.
    for volume in {volumes}; do
        cp --archive $volume /volume
        mount -t tmpfs none $volume
        cp --archive --no-target-directory /volume $volume
        rm -r /volume
    done
    mount -t tmpfs none /tmp
    mount -o remount,ro,bind /
}}
contain() {{
    (cd {home} && exec "$@" setpriv --reuid {user} --regid {user} --init-groups --bounding-set=-all --inh-caps=-all \\
        --no-new-privs env -i HOME={home} {variables} "${{command[@]}}")
}}
is_healthy() {{ command=({health}); contain; }}
docker() {{
    case "$*" in
        "compose build") build ;;
        "compose run --rm pbem "*) command=({entry} "${{@:5}}"); contain ;;
        "compose up --detach")
            command=({entry} {upgrade}); contain unshare --net || return
            command=({entry} {run}); contain & serving=$! ;;
        "compose stop serve") kill $serving; wait $serving || true ;;
        *) return 1 ;;
    esac
}}
"""


def _instructions() -> list[tuple[str, str]]:
    """Return the instructions of the file, each a word and what follows it."""
    text = (_DEPLOY / "Containerfile").read_text("utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in lines)]


def _words(line: str) -> str:
    """Return a list of words in brackets as a shell reads it."""
    return shlex.join(re.findall(r'"([^"]+)"', line))


def _service(name: str) -> dict[str, str]:
    """Return the lines of a service of ours, by the word that they begin with."""
    text = (_DEPLOY / "compose.yaml").read_text("utf-8")
    (service,) = re.findall(rf"^  {name}:\n    <<: \*pbem\n((?:    .*\n)*)", text, re.MULTILINE)
    return dict(re.findall(r"^ +([a-z_]+): *(.*)$", service, re.MULTILINE))


def as_functions(built: Path, place: Path) -> str:
    """Return functions of a shell that do what ``make`` and ``docker`` do with these files, and the wheel in ``built``.

    What is copied into the image is laid into ``place``.
    """
    (wheel,) = built.glob("*.whl")
    for file in (wheel, *_DEPLOY.rglob("*.txt")):
        copy(file, place)
    build, user, home, entry, run, variables, copied = [], "root", "/", "", "", "", []
    for word, rest in _instructions():
        match word:
            case "FROM":
                assert rest.startswith("debian:")
            case "COPY":
                *sources, target = rest.split()
                copied += sources
                build.append(f"mkdir -p {target} && cp {place}/*.txt {place}/*.whl {target}")
            case "RUN":
                build.append(rest)
            case "ARG":
                assert rest == "EXTRAS="  # given from outside
            case "ENV":
                variables = rest
            case "USER":
                user = rest
            case "WORKDIR":
                home = rest
            case "ENTRYPOINT":
                entry = _words(rest)
            case "CMD":
                run = _words(rest)
            case _:
                raise AssertionError(f"{word} is not carried out here")
    assert copied == ["deploy/requirements.txt", "deploy/extras", "dist/pbem-*.whl"]
    # Nothing is started before what is called by its name; the service waits for the tables.
    assert set(_service("pbem")) == {"profiles"}
    assert {"depends_on", "upgrade"} <= set(_service("serve"))
    compose = (_DEPLOY / "compose.yaml").read_text("utf-8")
    assert {"read_only: true", "ALL", "no-new-privileges:true"} <= set(re.findall(r"^ +(?:- )?(.+)$", compose, re.M))
    return "mkdir -p ~/pbem/deploy\ncd ~/pbem" + _FUNCTIONS.format(
        build="\n    ".join(build),
        volumes=" ".join(re.findall(r"^    - (?:state|archive):(\S+)$", compose, re.MULTILINE)),
        home=home,
        user=user,
        variables=variables,
        entry=entry,
        run=run,
        upgrade=_words(_service("upgrade")["command"]),
        health=_words(_service("serve")["test"].partition(",")[2]),
    )
