((globalThis.pbemFound||={}).names||=[]).push({"1":"Ann","2":"Bob"});
