((globalThis.pbemFound||={}).matches||=[]).push({"first":1,"number":[1,1],"games":["pipline","pippip"],"game":[0,1],"players":[[1,2],[1,2]],"year":[2026,2026],"won":[-1,-1],"moves":[0,0]});
