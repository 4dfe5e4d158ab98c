-- A workspace of version 4, that of version 3 with a trace added by the program of 2026-11-25: what every later version must read.
CREATE TABLE model (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  created INTEGER NOT NULL,
  lastTrained INTEGER,
  isActive INTEGER NOT NULL CHECK (isActive IN (0, 1)),
  refusalRate REAL NOT NULL CHECK (refusalRate BETWEEN 0 AND 0.5),
  generation INTEGER NOT NULL CHECK (generation >= 0),
  base TEXT, isEveryday INTEGER NOT NULL DEFAULT 0 CHECK (isEveryday IN (0, 1)),
  CHECK ((generation = 0) = (lastTrained IS NULL)),
  CHECK ((generation = 0) = (base IS NULL))
) STRICT;
INSERT INTO model VALUES('11111111-1111-4111-8111-111111111111','My first model',1700000000000,NULL,0,0.050000000000000002775,0,NULL,0);
INSERT INTO model VALUES('22222222-2222-4222-8222-222222222222','Animals',1700000000100,1795470524469,1,0.10000000000000000555,1,'edf59ca949d2b640cd1093fdef635e9b36b975cb04af551be86205c4e5633e79',0);
CREATE TABLE label (
  model TEXT NOT NULL REFERENCES model (id) ON DELETE CASCADE,
  label TEXT NOT NULL,
  name TEXT,
  PRIMARY KEY (model, label)
) STRICT, WITHOUT ROWID;
INSERT INTO label VALUES('22222222-2222-4222-8222-222222222222','⭐',NULL);
INSERT INTO label VALUES('22222222-2222-4222-8222-222222222222','🐟','a fish');
INSERT INTO label VALUES('22222222-2222-4222-8222-222222222222','🐧',NULL);
CREATE TABLE sample (
  model TEXT NOT NULL,
  id TEXT NOT NULL,
  label TEXT NOT NULL,
  created INTEGER NOT NULL,
  digest TEXT NOT NULL,
  drawing TEXT NOT NULL, template TEXT,
  PRIMARY KEY (model, id),
  FOREIGN KEY (model, label) REFERENCES label (model, label)
    ON UPDATE CASCADE ON DELETE CASCADE
) STRICT;
INSERT INTO sample VALUES('22222222-2222-4222-8222-222222222222','fish-1','🐟',1700000000123,'98276bab1e56f917','{"canvas":{"width":64,"height":48},"strokes":[[[1,30.5],[2,40],[0,16]],[[5],[6],[32]]]}',NULL);
INSERT INTO sample VALUES('22222222-2222-4222-8222-222222222222','penguin-1','🐧',1700000000456,'1095fa616bc319fd','{"strokes":[[[10,52,90],[20,24,81],[0,16,33]]]}',NULL);
INSERT INTO sample VALUES('22222222-2222-4222-8222-222222222222','star-1','⭐',1795604774302,'f52184d9d14cce10','{"canvas":{"width":64,"height":48},"strokes":[[[1,30.5],[2,40],[0,16]]]}','bundled/star');
CREATE TABLE taught (
  model TEXT NOT NULL REFERENCES model (id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  label TEXT NOT NULL,
  digest TEXT NOT NULL,
  PRIMARY KEY (model, id)
) STRICT, WITHOUT ROWID;
INSERT INTO taught VALUES('22222222-2222-4222-8222-222222222222','fish-1','🐟','98276bab1e56f917');
INSERT INTO taught VALUES('22222222-2222-4222-8222-222222222222','penguin-1','🐧','1095fa616bc319fd');
CREATE TABLE prediction (
  number INTEGER PRIMARY KEY,
  model TEXT NOT NULL REFERENCES model (id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  label TEXT,
  confidence REAL,
  isRecognized INTEGER NOT NULL CHECK (isRecognized IN (0, 1)),
  created INTEGER NOT NULL,
  drawing TEXT NOT NULL,
  UNIQUE (model, id)
) STRICT;
INSERT INTO prediction VALUES(1,'22222222-2222-4222-8222-222222222222','a',NULL,NULL,0,1700000000500,'{"strokes":[[[10,52,90],[20,24,81],[0,16,33]]]}');
INSERT INTO prediction VALUES(2,'22222222-2222-4222-8222-222222222222','b','🐧',0.75,1,1700000000600,'{"strokes":[[[10,52,90],[20,24,81],[0,16,33]]]}');
CREATE TABLE playground (
  id TEXT NOT NULL PRIMARY KEY,
  model TEXT NOT NULL REFERENCES model (id) ON DELETE CASCADE,
  width REAL NOT NULL,
  height REAL NOT NULL
) STRICT;
INSERT INTO playground VALUES('play','22222222-2222-4222-8222-222222222222',800.0,600.0);
CREATE TABLE playgroundItem (
  playground TEXT NOT NULL REFERENCES playground (id) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  number INTEGER NOT NULL,
  label TEXT,
  confidence REAL,
  x REAL NOT NULL,
  y REAL NOT NULL,
  side REAL NOT NULL,
  strokes TEXT NOT NULL,
  PRIMARY KEY (playground, place),
  UNIQUE (playground, number)
) STRICT;
INSERT INTO playgroundItem VALUES('play',0,3,'🐟',0.5,1.0,2.0,3.0,'{"strokes":[[[1,30.5],[2,40],[0,16]],[[5],[6],[32]]]}');
INSERT INTO playgroundItem VALUES('play',1,4,NULL,NULL,1.0,2.0,3.0,'{"strokes":[[[10,52,90],[20,24,81],[0,16,33]]]}');
CREATE TABLE settings (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  json TEXT NOT NULL
) STRICT;
INSERT INTO settings VALUES(1,'{"onboardingSeen":true,"penSize":6,"theme":"dark"}');
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES('1');
CREATE TABLE report (
  model TEXT NOT NULL PRIMARY KEY REFERENCES model (id) ON DELETE CASCADE,
  generation INTEGER NOT NULL,
  json TEXT NOT NULL
) STRICT;
INSERT INTO report VALUES('22222222-2222-4222-8222-222222222222',1,'{"added":2,"labels":[{"added":null,"change":"unknown","judged":0,"known":null,"label":"🐟","name":"a fish","recognizedShare":null,"samples":1},{"added":null,"change":"unknown","judged":0,"known":null,"label":"🐧","name":null,"recognizedShare":null,"samples":1}],"mistakes":[],"rates":{},"refusals":[],"relabelled":0,"removed":0,"samples":2,"seconds":0.09773707389831543}');
CREATE TABLE traced (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  day TEXT NOT NULL,
  used INTEGER NOT NULL CHECK (used > 0)
) STRICT;
INSERT INTO traced VALUES(1,'2026-11-25',1);
CREATE TABLE template (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  created INTEGER NOT NULL,
  picture BLOB,
  width INTEGER,
  height INTEGER,
  drawing TEXT,
  CHECK ((picture IS NULL) <> (drawing IS NULL)),
  CHECK ((picture IS NULL) = (width IS NULL)),
  CHECK ((picture IS NULL) = (height IS NULL))
) STRICT;
INSERT INTO template VALUES('33333333-3333-4333-8333-333333333333','house',1600000000000,NULL,NULL,NULL,'{"canvas":{"width":9,"height":9},"strokes":[[[1,3],[2,4]],[[5,7],[6,8]]]}');
CREATE UNIQUE INDEX activeModel ON model (isActive) WHERE isActive = 1;
CREATE INDEX sampleByTime ON sample (model, created, id);
CREATE INDEX sampleByLabel ON sample (model, label, created, id);
CREATE INDEX playgroundByModel ON playground (model);
PRAGMA application_id = 1148341580;
PRAGMA user_version = 5;
