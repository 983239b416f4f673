BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE beats (
	process VARCHAR(24) NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (process)
);
INSERT INTO "beats" VALUES('GTc6aj_C22new9K5',1794846756256);
CREATE TABLE log (
	room VARCHAR(24) NOT NULL, 
	number INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	mark VARCHAR(70), 
	event TEXT NOT NULL, 
	PRIMARY KEY (room, number), 
	CONSTRAINT log_marks UNIQUE (room, mark), 
	FOREIGN KEY(room) REFERENCES rooms (room)
);
INSERT INTO "log" VALUES('4FwSAV390FJA-PsO',1,1794846681885,NULL,'{"kind":"opened","by":"zrF1oQg0STxMckH7","game":"shokoba","options":{"players":2,"first":1},"seats":[null,null],"secret":"4cd614cb50eff07abd046666ea36e07672584fe33e1a287537b3dea184456574","clock":{"per":"game","seconds":3600},"listed":true}');
INSERT INTO "log" VALUES('4FwSAV390FJA-PsO',2,1794846682870,'zrF1oQg0STxMckH7:line3','{"kind":"sat","player":"zrF1oQg0STxMckH7","name":"Ana","seat":0,"nonce":"nonce 0"}');
INSERT INTO "log" VALUES('4FwSAV390FJA-PsO',3,1794846682882,'vd9D4gQdQaMOAkrn:line4','{"kind":"sat","player":"vd9D4gQdQaMOAkrn","name":"Bo","seat":1,"nonce":"nonce 1"}');
INSERT INTO "log" VALUES('4FwSAV390FJA-PsO',4,1794846682901,NULL,'{"kind":"begun","nonces":["nonce 0","nonce 1"]}');
INSERT INTO "log" VALUES('4FwSAV390FJA-PsO',5,1794846682943,'zrF1oQg0STxMckH7:line6','{"kind":"moved","seat":0,"move":"S4=S2+S2"}');
INSERT INTO "log" VALUES('4FwSAV390FJA-PsO',6,1794846682958,'vd9D4gQdQaMOAkrn:line7','{"kind":"moved","seat":1,"move":"D7"}');
INSERT INTO "log" VALUES('4FwSAV390FJA-PsO',7,1794846682977,'zrF1oQg0STxMckH7:line8','{"kind":"moved","seat":0,"move":"S2"}');
INSERT INTO "log" VALUES('4FwSAV390FJA-PsO',8,1794846682999,'vd9D4gQdQaMOAkrn:line9','{"kind":"moved","seat":1,"move":"S1"}');
INSERT INTO "log" VALUES('4FwSAV390FJA-PsO',9,1794846683025,'zrF1oQg0STxMckH7:line10','{"kind":"moved","seat":0,"move":"S5=S1+S4"}');
INSERT INTO "log" VALUES('4FwSAV390FJA-PsO',10,1794846683045,'vd9D4gQdQaMOAkrn:line11','{"kind":"moved","seat":1,"move":"S1"}');
INSERT INTO "log" VALUES('4FwSAV390FJA-PsO',11,1794846683063,'zrF1oQg0STxMckH7:line12','{"kind":"said","name":"Ana","text":"Good luck","seat":0}');
INSERT INTO "log" VALUES('4FwSAV390FJA-PsO',12,1794846683077,'vd9D4gQdQaMOAkrn:line13','{"kind":"reacted","name":"Bo","to":11,"sign":"like","seat":1}');
INSERT INTO "log" VALUES('4FwSAV390FJA-PsO',13,1794846683097,'zrF1oQg0STxMckH7:line14','{"kind":"moved","seat":0,"move":"S1=S1"}');
INSERT INTO "log" VALUES('4FwSAV390FJA-PsO',14,1794846683127,'zrF1oQg0STxMckH7:line15','{"kind":"undo_asked","seat":0}');
INSERT INTO "log" VALUES('4FwSAV390FJA-PsO',15,1794846683140,'vd9D4gQdQaMOAkrn:line16','{"kind":"undo_answered","seat":1,"agreed":true}');
INSERT INTO "log" VALUES('4FwSAV390FJA-PsO',16,1794846683157,NULL,'{"kind":"undone","moves":6}');
INSERT INTO "log" VALUES('4FwSAV390FJA-PsO',17,1794846686674,'zrF1oQg0STxMckH7:line19','{"kind":"hinted","seat":0,"move":"S9=S2+D7"}');
INSERT INTO "log" VALUES('4FwSAV390FJA-PsO',18,1794846686695,'zrF1oQg0STxMckH7:line22','{"kind":"moved","seat":0,"move":"S1=S1"}');
INSERT INTO "log" VALUES('4FwSAV390FJA-PsO',19,1794846686718,'vd9D4gQdQaMOAkrn:line23','{"kind":"moved","seat":1,"move":"R9=S2+D7"}');
INSERT INTO "log" VALUES('4FwSAV390FJA-PsO',20,1794846686737,'zrF1oQg0STxMckH7:line24','{"kind":"moved","seat":0,"move":"R6=S6"}');
INSERT INTO "log" VALUES('4FwSAV390FJA-PsO',21,1794846687264,'zrF1oQg0STxMckH7:line25','{"kind":"handed","seat":1,"level":"easy"}');
INSERT INTO "log" VALUES('4FwSAV390FJA-PsO',22,1794846687289,NULL,'{"kind":"moved","seat":1,"move":"S4","bot":"easy"}');
INSERT INTO "log" VALUES('4FwSAV390FJA-PsO',23,1794846687302,'zrF1oQg0STxMckH7:line26','{"kind":"moved","seat":0,"move":"S9"}');
INSERT INTO "log" VALUES('4FwSAV390FJA-PsO',24,1794846687323,NULL,'{"kind":"moved","seat":1,"move":"R3","bot":"easy"}');
INSERT INTO "log" VALUES('4FwSAV390FJA-PsO',25,1794846687334,'zrF1oQg0STxMckH7:line27','{"kind":"moved","seat":0,"move":"R4=S4"}');
INSERT INTO "log" VALUES('4FwSAV390FJA-PsO',26,1794846687359,NULL,'{"kind":"moved","seat":1,"move":"S8","bot":"easy"}');
INSERT INTO "log" VALUES('4FwSAV390FJA-PsO',27,1794846687377,'zrF1oQg0STxMckH7:line28','{"kind":"moved","seat":0,"move":"S3=R3"}');
INSERT INTO "log" VALUES('4FwSAV390FJA-PsO',28,1794846687399,NULL,'{"kind":"moved","seat":1,"move":"R1","bot":"easy"}');
INSERT INTO "log" VALUES('4FwSAV390FJA-PsO',29,1794846687417,'zrF1oQg0STxMckH7:line29','{"kind":"moved","seat":0,"move":"S8=S8"}');
INSERT INTO "log" VALUES('4FwSAV390FJA-PsO',30,1794846687440,NULL,'{"kind":"moved","seat":1,"move":"R5","bot":"easy"}');
INSERT INTO "log" VALUES('4FwSAV390FJA-PsO',31,1794846687458,'zrF1oQg0STxMckH7:line30','{"kind":"moved","seat":0,"move":"S10=R1+S9"}');
INSERT INTO "log" VALUES('4FwSAV390FJA-PsO',32,1794846687484,NULL,'{"kind":"returned","seat":1}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',1,1794846687506,NULL,'{"kind":"opened","by":"lANORNeXEoU8YLtU","game":"poison","options":{"players":3},"seats":[null,"easy","easy"],"secret":"be4c0a94bec8c67bb507ca29c5085d46eef7351f4599212de389dab9271f2cfa"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',2,1794846687522,'lANORNeXEoU8YLtU:line34','{"kind":"sat","player":"lANORNeXEoU8YLtU","name":"Cy","seat":0,"nonce":"cy''s nonce"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',3,1794846687537,NULL,'{"kind":"begun","nonces":["cy''s nonce","bot","bot"]}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',4,1794846687564,'lANORNeXEoU8YLtU:line35','{"kind":"moved","seat":0,"move":"B1@1"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',5,1794846687606,NULL,'{"kind":"moved","seat":1,"move":"B7@1","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',6,1794846687614,NULL,'{"kind":"moved","seat":2,"move":"X@1","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',7,1794846687632,'lANORNeXEoU8YLtU:line36','{"kind":"moved","seat":0,"move":"B4@1"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',8,1794846687667,NULL,'{"kind":"moved","seat":1,"move":"P7@3","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',9,1794846687685,NULL,'{"kind":"moved","seat":2,"move":"B7@1","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',10,1794846687709,'lANORNeXEoU8YLtU:line37','{"kind":"moved","seat":0,"move":"B5@1"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',11,1794846687741,NULL,'{"kind":"moved","seat":1,"move":"R7@2","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',12,1794846687766,NULL,'{"kind":"moved","seat":2,"move":"X@3","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',13,1794846687777,'lANORNeXEoU8YLtU:line38','{"kind":"moved","seat":0,"move":"P1@3"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',14,1794846687804,NULL,'{"kind":"moved","seat":1,"move":"X@2","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',15,1794846687823,NULL,'{"kind":"moved","seat":2,"move":"B5@1","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',16,1794846687841,'lANORNeXEoU8YLtU:line39','{"kind":"moved","seat":0,"move":"P2@3"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',17,1794846687867,NULL,'{"kind":"moved","seat":1,"move":"P5@3","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',18,1794846687877,NULL,'{"kind":"moved","seat":2,"move":"P4@3","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',19,1794846687897,'lANORNeXEoU8YLtU:line40','{"kind":"moved","seat":0,"move":"P4@3"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',20,1794846687925,NULL,'{"kind":"moved","seat":1,"move":"R2@2","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',21,1794846687949,NULL,'{"kind":"moved","seat":2,"move":"B2@1","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',22,1794846687959,'lANORNeXEoU8YLtU:line41','{"kind":"moved","seat":0,"move":"P5@3"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',23,1794846687978,NULL,'{"kind":"moved","seat":1,"move":"P1@3","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',24,1794846688009,NULL,'{"kind":"moved","seat":2,"move":"P2@3","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',25,1794846688016,'lANORNeXEoU8YLtU:line42','{"kind":"moved","seat":0,"move":"P7@3"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',26,1794846688039,NULL,'{"kind":"moved","seat":1,"move":"B1@1","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',27,1794846688059,NULL,'{"kind":"moved","seat":2,"move":"R1@2","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',28,1794846688079,'lANORNeXEoU8YLtU:line43','{"kind":"moved","seat":0,"move":"R2@2"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',29,1794846688103,NULL,'{"kind":"moved","seat":1,"move":"R7@2","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',30,1794846688123,NULL,'{"kind":"moved","seat":2,"move":"R4@2","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',31,1794846688145,'lANORNeXEoU8YLtU:line44','{"kind":"moved","seat":0,"move":"R2@2"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',32,1794846688160,NULL,'{"kind":"moved","seat":1,"move":"R4@2","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',33,1794846688188,NULL,'{"kind":"moved","seat":2,"move":"R1@2","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',34,1794846688205,'lANORNeXEoU8YLtU:line45','{"kind":"moved","seat":0,"move":"R5@2"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',35,1794846688224,NULL,'{"kind":"moved","seat":1,"move":"P1@3","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',36,1794846688244,NULL,'{"kind":"moved","seat":2,"move":"B4@1","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',37,1794846688263,'lANORNeXEoU8YLtU:line46','{"kind":"moved","seat":0,"move":"R7@2"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',38,1794846688288,NULL,'{"kind":"moved","seat":1,"move":"R5@2","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',39,1794846688307,NULL,'{"kind":"moved","seat":2,"move":"B1@1","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',40,1794846688318,'lANORNeXEoU8YLtU:line47','{"kind":"moved","seat":0,"move":"X@1"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',41,1794846688344,NULL,'{"kind":"moved","seat":1,"move":"B2@1","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',42,1794846688368,NULL,'{"kind":"moved","seat":1,"move":"B7@3","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',43,1794846688388,NULL,'{"kind":"moved","seat":2,"move":"P7@1","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',44,1794846688402,'lANORNeXEoU8YLtU:line48','{"kind":"moved","seat":0,"move":"B1@3"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',45,1794846688428,NULL,'{"kind":"moved","seat":1,"move":"R7@2","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',46,1794846688448,NULL,'{"kind":"moved","seat":2,"move":"X@3","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',47,1794846688465,'lANORNeXEoU8YLtU:line49','{"kind":"moved","seat":0,"move":"P1@1"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',48,1794846688484,NULL,'{"kind":"moved","seat":1,"move":"X@1","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',49,1794846688512,NULL,'{"kind":"moved","seat":2,"move":"R2@2","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',50,1794846688522,'lANORNeXEoU8YLtU:line50','{"kind":"moved","seat":0,"move":"P1@1"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',51,1794846688544,NULL,'{"kind":"moved","seat":1,"move":"X@2","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',52,1794846688568,NULL,'{"kind":"moved","seat":2,"move":"B1@3","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',53,1794846688589,'lANORNeXEoU8YLtU:line51','{"kind":"moved","seat":0,"move":"P2@1"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',54,1794846688608,NULL,'{"kind":"moved","seat":1,"move":"P5@1","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',55,1794846688632,NULL,'{"kind":"moved","seat":2,"move":"X@1","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',56,1794846688647,'lANORNeXEoU8YLtU:line52','{"kind":"moved","seat":0,"move":"P2@1"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',57,1794846688668,NULL,'{"kind":"moved","seat":1,"move":"R2@2","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',58,1794846688692,NULL,'{"kind":"moved","seat":2,"move":"R7@2","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',59,1794846688709,'lANORNeXEoU8YLtU:line53','{"kind":"moved","seat":0,"move":"P4@1"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',60,1794846688724,NULL,'{"kind":"moved","seat":1,"move":"R4@2","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',61,1794846688751,NULL,'{"kind":"moved","seat":2,"move":"X@1","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',62,1794846688769,'lANORNeXEoU8YLtU:line54','{"kind":"moved","seat":0,"move":"P7@1"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',63,1794846688789,NULL,'{"kind":"moved","seat":1,"move":"R1@2","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',64,1794846688812,NULL,'{"kind":"moved","seat":2,"move":"P5@1","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',65,1794846688822,'lANORNeXEoU8YLtU:line55','{"kind":"moved","seat":0,"move":"P7@1"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',66,1794846688854,NULL,'{"kind":"moved","seat":1,"move":"R1@2","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',67,1794846688877,NULL,'{"kind":"moved","seat":2,"move":"R5@2","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',68,1794846688881,'lANORNeXEoU8YLtU:line56','{"kind":"moved","seat":0,"move":"R2@2"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',69,1794846688906,NULL,'{"kind":"moved","seat":1,"move":"P1@1","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',70,1794846688928,NULL,'{"kind":"moved","seat":2,"move":"P4@1","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',71,1794846688949,'lANORNeXEoU8YLtU:line57','{"kind":"moved","seat":0,"move":"X@1"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',72,1794846688965,NULL,'{"kind":"moved","seat":1,"move":"B7@3","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',73,1794846688991,NULL,'{"kind":"moved","seat":2,"move":"B5@3","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',74,1794846689011,'lANORNeXEoU8YLtU:line58','{"kind":"moved","seat":0,"move":"X@1"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',75,1794846689032,NULL,'{"kind":"moved","seat":1,"move":"B7@3","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',76,1794846689055,NULL,'{"kind":"moved","seat":2,"move":"B2@3","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',77,1794846689070,'lANORNeXEoU8YLtU:line59','{"kind":"moved","seat":0,"move":"X@1"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',78,1794846689095,NULL,'{"kind":"moved","seat":1,"move":"B5@3","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',79,1794846689115,NULL,'{"kind":"moved","seat":2,"move":"B4@3","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',80,1794846689136,NULL,'{"kind":"moved","seat":2,"move":"R5@1","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',81,1794846689149,'lANORNeXEoU8YLtU:line60','{"kind":"moved","seat":0,"move":"B2@2"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',82,1794846689170,NULL,'{"kind":"moved","seat":1,"move":"P7@3","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',83,1794846689196,NULL,'{"kind":"moved","seat":2,"move":"X@2","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',84,1794846689213,'lANORNeXEoU8YLtU:line61','{"kind":"moved","seat":0,"move":"B4@2"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',85,1794846689236,NULL,'{"kind":"moved","seat":1,"move":"X@3","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',86,1794846689251,NULL,'{"kind":"moved","seat":2,"move":"R5@1","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',87,1794846689269,'lANORNeXEoU8YLtU:line62','{"kind":"moved","seat":0,"move":"B5@2"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',88,1794846689291,NULL,'{"kind":"moved","seat":1,"move":"X@2","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',89,1794846689311,NULL,'{"kind":"moved","seat":2,"move":"B4@2","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',90,1794846689329,'lANORNeXEoU8YLtU:line63','{"kind":"moved","seat":0,"move":"B7@2"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',91,1794846689353,NULL,'{"kind":"moved","seat":1,"move":"P2@3","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',92,1794846689372,NULL,'{"kind":"moved","seat":2,"move":"R2@1","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',93,1794846689387,'lANORNeXEoU8YLtU:line64','{"kind":"moved","seat":0,"move":"P2@3"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',94,1794846689411,NULL,'{"kind":"moved","seat":1,"move":"B2@2","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',95,1794846689430,NULL,'{"kind":"moved","seat":2,"move":"P7@3","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',96,1794846689449,'lANORNeXEoU8YLtU:line65','{"kind":"moved","seat":0,"move":"P5@3"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',97,1794846689482,NULL,'{"kind":"moved","seat":1,"move":"P5@3","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',98,1794846689492,NULL,'{"kind":"moved","seat":2,"move":"R1@1","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',99,1794846689507,'lANORNeXEoU8YLtU:line66','{"kind":"moved","seat":0,"move":"P5@3"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',100,1794846689533,NULL,'{"kind":"moved","seat":1,"move":"B2@2","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',101,1794846689550,NULL,'{"kind":"moved","seat":2,"move":"P7@3","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',102,1794846689577,'lANORNeXEoU8YLtU:line67','{"kind":"moved","seat":0,"move":"R4@1"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',103,1794846689592,NULL,'{"kind":"moved","seat":1,"move":"R5@1","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',104,1794846689611,NULL,'{"kind":"moved","seat":2,"move":"B1@2","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',105,1794846689637,'lANORNeXEoU8YLtU:line68','{"kind":"moved","seat":0,"move":"R7@1"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',106,1794846689651,NULL,'{"kind":"moved","seat":1,"move":"R4@1","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',107,1794846689671,NULL,'{"kind":"moved","seat":2,"move":"B1@2","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',108,1794846689691,'lANORNeXEoU8YLtU:line69','{"kind":"moved","seat":0,"move":"X@1"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',109,1794846689711,NULL,'{"kind":"moved","seat":1,"move":"P1@3","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',110,1794846689732,NULL,'{"kind":"moved","seat":2,"move":"P4@3","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',111,1794846689754,'lANORNeXEoU8YLtU:line70','{"kind":"moved","seat":0,"move":"X@1"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',112,1794846689777,NULL,'{"kind":"moved","seat":1,"move":"P2@3","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',113,1794846689791,NULL,'{"kind":"moved","seat":2,"move":"P1@3","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',114,1794846689810,'lANORNeXEoU8YLtU:line71','{"kind":"moved","seat":0,"move":"X@1"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',115,1794846689836,NULL,'{"kind":"moved","seat":1,"move":"R2@1","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',116,1794846689856,NULL,'{"kind":"moved","seat":2,"move":"P1@3","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',117,1794846689873,'lANORNeXEoU8YLtU:line72','{"kind":"moved","seat":0,"move":"X@1"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',118,1794846689892,NULL,'{"kind":"offered","options":{"players":3},"secret":"7fbe197524e651cd83ba94e05972683524e12de5575b2b70fd74d9759b547b13"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',119,1794846689908,'lANORNeXEoU8YLtU:line73','{"kind":"readied","seat":0,"nonce":"again"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',120,1794846689927,NULL,'{"kind":"begun","nonces":["again","bot","bot"]}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',121,1794846689960,'lANORNeXEoU8YLtU:line74','{"kind":"moved","seat":0,"move":"B2@1"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',122,1794846689972,NULL,'{"kind":"moved","seat":1,"move":"B7@1","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',123,1794846689996,NULL,'{"kind":"moved","seat":2,"move":"P7@2","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',124,1794846690011,'lANORNeXEoU8YLtU:line75','{"kind":"moved","seat":0,"move":"B4@1"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',125,1794846690031,NULL,'{"kind":"moved","seat":1,"move":"P5@2","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',126,1794846690061,NULL,'{"kind":"moved","seat":2,"move":"X@3","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',127,1794846690069,'lANORNeXEoU8YLtU:line76','{"kind":"moved","seat":0,"move":"B5@1"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',128,1794846690098,NULL,'{"kind":"moved","seat":1,"move":"R7@3","bot":"easy"}');
INSERT INTO "log" VALUES('fjQXl1g19fabvv8F',129,1794846690116,NULL,'{"kind":"moved","seat":2,"move":"X@1","bot":"easy"}');
INSERT INTO "log" VALUES('--jng78QhiKmldJ6',1,1794846690142,NULL,'{"kind":"opened","by":"zrF1oQg0STxMckH7","game":"dungeon","options":{"players":2,"minutes":0,"level":1},"seats":[null,null],"secret":"0efacfacc4a1783e5f0bf256c27f75db853d2ab4273b76c7332288fe4a6f970c","adventure":true}');
INSERT INTO "log" VALUES('--jng78QhiKmldJ6',2,1794846690165,'zrF1oQg0STxMckH7:line79','{"kind":"sat","player":"zrF1oQg0STxMckH7","name":"Ana","seat":0,"nonce":"nonce 0"}');
INSERT INTO "log" VALUES('--jng78QhiKmldJ6',3,1794846690168,'vd9D4gQdQaMOAkrn:line80','{"kind":"sat","player":"vd9D4gQdQaMOAkrn","name":"Bo","seat":1,"nonce":"nonce 1"}');
INSERT INTO "log" VALUES('--jng78QhiKmldJ6',4,1794846690193,NULL,'{"kind":"begun","nonces":["nonce 0","nonce 1"]}');
INSERT INTO "log" VALUES('--jng78QhiKmldJ6',5,1794846738585,'vd9D4gQdQaMOAkrn:line82','{"kind":"hinted","seat":1,"move":"1022c1@1,1"}');
INSERT INTO "log" VALUES('--jng78QhiKmldJ6',6,1794846738659,'vd9D4gQdQaMOAkrn:line84','{"kind":"moved","seat":1,"move":"1022c1@1,1"}');
INSERT INTO "log" VALUES('--jng78QhiKmldJ6',7,1794846739699,'zrF1oQg0STxMckH7:line85','{"kind":"hinted","seat":0,"move":"0000s@0,2"}');
INSERT INTO "log" VALUES('--jng78QhiKmldJ6',8,1794846739802,'zrF1oQg0STxMckH7:line87','{"kind":"moved","seat":0,"move":"0000s@0,2"}');
INSERT INTO "log" VALUES('--jng78QhiKmldJ6',9,1794846740935,'vd9D4gQdQaMOAkrn:line88','{"kind":"hinted","seat":1,"move":"1121@-1,1"}');
INSERT INTO "log" VALUES('--jng78QhiKmldJ6',10,1794846741050,'vd9D4gQdQaMOAkrn:line90','{"kind":"moved","seat":1,"move":"1121@-1,1"}');
INSERT INTO "log" VALUES('--jng78QhiKmldJ6',11,1794846742213,'zrF1oQg0STxMckH7:line91','{"kind":"hinted","seat":0,"move":"0311c1@-2,0"}');
INSERT INTO "log" VALUES('--jng78QhiKmldJ6',12,1794846742282,'zrF1oQg0STxMckH7:line93','{"kind":"moved","seat":0,"move":"0311c1@-2,0"}');
INSERT INTO "log" VALUES('--jng78QhiKmldJ6',13,1794846743329,'vd9D4gQdQaMOAkrn:line94','{"kind":"hinted","seat":1,"move":"0212@-1,-1"}');
INSERT INTO "log" VALUES('--jng78QhiKmldJ6',14,1794846743362,'vd9D4gQdQaMOAkrn:line96','{"kind":"moved","seat":1,"move":"0212@-1,-1"}');
INSERT INTO "log" VALUES('--jng78QhiKmldJ6',15,1794846744417,'zrF1oQg0STxMckH7:line97','{"kind":"hinted","seat":0,"move":"1013@-3,1"}');
INSERT INTO "log" VALUES('--jng78QhiKmldJ6',16,1794846744450,'zrF1oQg0STxMckH7:line99','{"kind":"moved","seat":0,"move":"1013@-3,1"}');
INSERT INTO "log" VALUES('--jng78QhiKmldJ6',17,1794846745582,'vd9D4gQdQaMOAkrn:line100','{"kind":"hinted","seat":1,"move":"0000s@0,-2"}');
INSERT INTO "log" VALUES('--jng78QhiKmldJ6',18,1794846745727,'vd9D4gQdQaMOAkrn:line102','{"kind":"moved","seat":1,"move":"0000s@0,-2"}');
INSERT INTO "log" VALUES('--jng78QhiKmldJ6',19,1794846746848,'zrF1oQg0STxMckH7:line103','{"kind":"hinted","seat":0,"move":"0311@2,2"}');
INSERT INTO "log" VALUES('--jng78QhiKmldJ6',20,1794846746947,'zrF1oQg0STxMckH7:line105','{"kind":"moved","seat":0,"move":"0311@2,2"}');
INSERT INTO "log" VALUES('--jng78QhiKmldJ6',21,1794846748125,'vd9D4gQdQaMOAkrn:line106','{"kind":"hinted","seat":1,"move":"0140c3@-3,-1"}');
INSERT INTO "log" VALUES('--jng78QhiKmldJ6',22,1794846748210,'vd9D4gQdQaMOAkrn:line108','{"kind":"moved","seat":1,"move":"0140c3@-3,-1"}');
INSERT INTO "log" VALUES('--jng78QhiKmldJ6',23,1794846749322,'zrF1oQg0STxMckH7:line109','{"kind":"hinted","seat":0,"move":"0023@-4,2"}');
INSERT INTO "log" VALUES('--jng78QhiKmldJ6',24,1794846749440,'zrF1oQg0STxMckH7:line111','{"kind":"moved","seat":0,"move":"0023@-4,2"}');
INSERT INTO "log" VALUES('--jng78QhiKmldJ6',25,1794846750555,'vd9D4gQdQaMOAkrn:line112','{"kind":"hinted","seat":1,"move":"1112@-4,0"}');
INSERT INTO "log" VALUES('--jng78QhiKmldJ6',26,1794846750598,'vd9D4gQdQaMOAkrn:line114','{"kind":"moved","seat":1,"move":"1112@-4,0"}');
INSERT INTO "log" VALUES('--jng78QhiKmldJ6',27,1794846751714,'zrF1oQg0STxMckH7:line115','{"kind":"hinted","seat":0,"move":"0122@3,3"}');
INSERT INTO "log" VALUES('--jng78QhiKmldJ6',28,1794846751772,'zrF1oQg0STxMckH7:line117','{"kind":"moved","seat":0,"move":"0122@3,3"}');
INSERT INTO "log" VALUES('--jng78QhiKmldJ6',29,1794846752854,'vd9D4gQdQaMOAkrn:line118','{"kind":"hinted","seat":1,"move":"1121c2L1@-5,3"}');
INSERT INTO "log" VALUES('--jng78QhiKmldJ6',30,1794846752936,'vd9D4gQdQaMOAkrn:line120','{"kind":"moved","seat":1,"move":"1121c2L1@-5,3"}');
INSERT INTO "log" VALUES('--jng78QhiKmldJ6',31,1794846754144,'zrF1oQg0STxMckH7:line121','{"kind":"hinted","seat":0,"move":"1103@-6,4"}');
INSERT INTO "log" VALUES('--jng78QhiKmldJ6',32,1794846754279,'zrF1oQg0STxMckH7:line123','{"kind":"moved","seat":0,"move":"1103@-6,4"}');
INSERT INTO "log" VALUES('10xzqtffxABtJ0D8',1,1794846754424,NULL,'{"kind":"opened","by":"vd9D4gQdQaMOAkrn","game":"shock","options":{"players":3},"seats":[null,null,null],"secret":"18cf6793db9161feb20f27af7316ee15dd890c2e228ff71d59a20b76008ee610","hints":false}');
INSERT INTO "log" VALUES('10xzqtffxABtJ0D8',2,1794846754441,'zrF1oQg0STxMckH7:line127','{"kind":"sat","player":"zrF1oQg0STxMckH7","name":"Ana","seat":0,"nonce":"nonce 0"}');
INSERT INTO "log" VALUES('10xzqtffxABtJ0D8',3,1794846754447,'vd9D4gQdQaMOAkrn:line128','{"kind":"sat","player":"vd9D4gQdQaMOAkrn","name":"Bo","seat":1,"nonce":"nonce 1"}');
INSERT INTO "log" VALUES('10xzqtffxABtJ0D8',4,1794846754470,'lANORNeXEoU8YLtU:line129','{"kind":"sat","player":"lANORNeXEoU8YLtU","name":"Cy","seat":2,"nonce":"nonce 2"}');
INSERT INTO "log" VALUES('10xzqtffxABtJ0D8',5,1794846754485,NULL,'{"kind":"begun","nonces":["nonce 0","nonce 1","nonce 2"]}');
INSERT INTO "log" VALUES('10xzqtffxABtJ0D8',6,1794846754543,'zrF1oQg0STxMckH7:line131','{"kind":"moved","seat":0,"move":"S5"}');
INSERT INTO "log" VALUES('10xzqtffxABtJ0D8',7,1794846754553,'vd9D4gQdQaMOAkrn:line132','{"kind":"moved","seat":1,"move":"w~D3"}');
INSERT INTO "log" VALUES('10xzqtffxABtJ0D8',8,1794846754583,'lANORNeXEoU8YLtU:line133','{"kind":"moved","seat":2,"move":"w~C8"}');
INSERT INTO "log" VALUES('10xzqtffxABtJ0D8',9,1794846754610,'zrF1oQg0STxMckH7:line134','{"kind":"moved","seat":0,"move":"open"}');
INSERT INTO "log" VALUES('10xzqtffxABtJ0D8',10,1794846754624,'zrF1oQg0STxMckH7:line135','{"kind":"moved","seat":0,"move":"open"}');
INSERT INTO "log" VALUES('10xzqtffxABtJ0D8',11,1794846754659,'zrF1oQg0STxMckH7:line136','{"kind":"moved","seat":0,"move":"S10"}');
INSERT INTO "log" VALUES('10xzqtffxABtJ0D8',12,1794846754670,'vd9D4gQdQaMOAkrn:line137','{"kind":"moved","seat":1,"move":"w~D3"}');
INSERT INTO "log" VALUES('10xzqtffxABtJ0D8',13,1794846754689,'lANORNeXEoU8YLtU:line138','{"kind":"moved","seat":2,"move":"w~C9"}');
INSERT INTO "log" VALUES('10xzqtffxABtJ0D8',14,1794846754713,'zrF1oQg0STxMckH7:line139','{"kind":"moved","seat":0,"move":"open"}');
INSERT INTO "log" VALUES('10xzqtffxABtJ0D8',15,1794846754739,'zrF1oQg0STxMckH7:line140','{"kind":"moved","seat":0,"move":"open"}');
INSERT INTO "log" VALUES('10xzqtffxABtJ0D8',16,1794846754770,'zrF1oQg0STxMckH7:line141','{"kind":"moved","seat":0,"move":"S10"}');
INSERT INTO "log" VALUES('10xzqtffxABtJ0D8',17,1794846754779,'vd9D4gQdQaMOAkrn:line142','{"kind":"moved","seat":1,"move":"w~C7"}');
INSERT INTO "log" VALUES('10xzqtffxABtJ0D8',18,1794846754805,'lANORNeXEoU8YLtU:line143','{"kind":"moved","seat":2,"move":"w~D7"}');
INSERT INTO "log" VALUES('10xzqtffxABtJ0D8',19,1794846754827,'zrF1oQg0STxMckH7:line144','{"kind":"moved","seat":0,"move":"open"}');
INSERT INTO "log" VALUES('10xzqtffxABtJ0D8',20,1794846754844,'zrF1oQg0STxMckH7:line145','{"kind":"moved","seat":0,"move":"open"}');
INSERT INTO "log" VALUES('10xzqtffxABtJ0D8',21,1794846754874,'zrF1oQg0STxMckH7:line146','{"kind":"moved","seat":0,"move":"H2"}');
INSERT INTO "log" VALUES('10xzqtffxABtJ0D8',22,1794846754883,'vd9D4gQdQaMOAkrn:line147','{"kind":"moved","seat":1,"move":"w~C10"}');
INSERT INTO "log" VALUES('10xzqtffxABtJ0D8',23,1794846754918,'lANORNeXEoU8YLtU:line148','{"kind":"moved","seat":2,"move":"w~D9"}');
INSERT INTO "log" VALUES('10xzqtffxABtJ0D8',24,1794846754928,'zrF1oQg0STxMckH7:line149','{"kind":"moved","seat":0,"move":"open"}');
INSERT INTO "log" VALUES('10xzqtffxABtJ0D8',25,1794846754952,'zrF1oQg0STxMckH7:line150','{"kind":"moved","seat":0,"move":"open"}');
INSERT INTO "log" VALUES('VpcCwxyTkQcB074b',1,1794846754984,NULL,'{"kind":"opened","by":"vd9D4gQdQaMOAkrn","game":"anaphylaxis","options":{"players":3},"seats":[null,null,null],"secret":"0aff06be047b31a73b896da8923907ee48b16f201e259d9caac7044477832bef","hints":false}');
INSERT INTO "log" VALUES('VpcCwxyTkQcB074b',2,1794846754994,'zrF1oQg0STxMckH7:line154','{"kind":"sat","player":"zrF1oQg0STxMckH7","name":"Ana","seat":0,"nonce":"nonce 0"}');
INSERT INTO "log" VALUES('VpcCwxyTkQcB074b',3,1794846755007,'vd9D4gQdQaMOAkrn:line155','{"kind":"sat","player":"vd9D4gQdQaMOAkrn","name":"Bo","seat":1,"nonce":"nonce 1"}');
INSERT INTO "log" VALUES('VpcCwxyTkQcB074b',4,1794846755039,'lANORNeXEoU8YLtU:line156','{"kind":"sat","player":"lANORNeXEoU8YLtU","name":"Cy","seat":2,"nonce":"nonce 2"}');
INSERT INTO "log" VALUES('VpcCwxyTkQcB074b',5,1794846755057,NULL,'{"kind":"begun","nonces":["nonce 0","nonce 1","nonce 2"]}');
INSERT INTO "log" VALUES('VpcCwxyTkQcB074b',6,1794846755122,'vd9D4gQdQaMOAkrn:line158','{"kind":"moved","seat":1,"move":"H4"}');
INSERT INTO "log" VALUES('VpcCwxyTkQcB074b',7,1794846755163,'lANORNeXEoU8YLtU:line159','{"kind":"moved","seat":2,"move":"w~C2"}');
INSERT INTO "log" VALUES('VpcCwxyTkQcB074b',8,1794846755202,'zrF1oQg0STxMckH7:line160','{"kind":"moved","seat":0,"move":"w~C6"}');
INSERT INTO "log" VALUES('VpcCwxyTkQcB074b',9,1794846755242,'vd9D4gQdQaMOAkrn:line161','{"kind":"moved","seat":1,"move":"D8"}');
INSERT INTO "log" VALUES('VpcCwxyTkQcB074b',10,1794846755277,'lANORNeXEoU8YLtU:line162','{"kind":"moved","seat":2,"move":"w~H6"}');
INSERT INTO "log" VALUES('VpcCwxyTkQcB074b',11,1794846755322,'zrF1oQg0STxMckH7:line163','{"kind":"moved","seat":0,"move":"w~D10"}');
INSERT INTO "log" VALUES('VpcCwxyTkQcB074b',12,1794846755358,'vd9D4gQdQaMOAkrn:line164','{"kind":"moved","seat":1,"move":"D6"}');
INSERT INTO "log" VALUES('VpcCwxyTkQcB074b',13,1794846755387,'lANORNeXEoU8YLtU:line165','{"kind":"moved","seat":2,"move":"w~D3"}');
INSERT INTO "log" VALUES('VpcCwxyTkQcB074b',14,1794846755429,'zrF1oQg0STxMckH7:line166','{"kind":"moved","seat":0,"move":"w~C4"}');
INSERT INTO "log" VALUES('VpcCwxyTkQcB074b',15,1794846755466,'vd9D4gQdQaMOAkrn:line167','{"kind":"moved","seat":1,"move":"D4"}');
INSERT INTO "log" VALUES('VpcCwxyTkQcB074b',16,1794846755498,'lANORNeXEoU8YLtU:line168','{"kind":"moved","seat":2,"move":"w~D8"}');
INSERT INTO "log" VALUES('VpcCwxyTkQcB074b',17,1794846755532,'zrF1oQg0STxMckH7:line169','{"kind":"moved","seat":0,"move":"w~D7"}');
INSERT INTO "log" VALUES('VpcCwxyTkQcB074b',18,1794846755577,'vd9D4gQdQaMOAkrn:line170','{"kind":"moved","seat":1,"move":"S3"}');
INSERT INTO "log" VALUES('VpcCwxyTkQcB074b',19,1794846755610,'lANORNeXEoU8YLtU:line171','{"kind":"moved","seat":2,"move":"w~C6"}');
INSERT INTO "log" VALUES('VpcCwxyTkQcB074b',20,1794846755644,'zrF1oQg0STxMckH7:line172','{"kind":"moved","seat":0,"move":"w~D9"}');
INSERT INTO "log" VALUES('VpcCwxyTkQcB074b',21,1794846755688,NULL,'{"kind":"offered","options":{"players":3},"secret":"32c8ee7c84c3d48a22a90ad27913c365c7dbddd805eb008340190845f00f12c9"}');
INSERT INTO "log" VALUES('YFb6S6cDvWIOiwxs',1,1794846755726,NULL,'{"kind":"opened","by":"vd9D4gQdQaMOAkrn","game":"shokoba","options":{"players":4,"teams":true},"seats":[null,null,"hard",null],"secret":"96ad8d6a3c95e13132acc7d348b8a4fafcb2541c06d48462f4c08743b8792357","listed":true}');
INSERT INTO "log" VALUES('YFb6S6cDvWIOiwxs',2,1794846755750,'vd9D4gQdQaMOAkrn:line174','{"kind":"sat","player":"vd9D4gQdQaMOAkrn","name":"Bo","seat":1,"nonce":"n"}');
INSERT INTO "log" VALUES('YFb6S6cDvWIOiwxs',3,1794846755756,'vd9D4gQdQaMOAkrn:line175','{"kind":"stood","seat":1}');
INSERT INTO "log" VALUES('YFb6S6cDvWIOiwxs',4,1794846755773,'vd9D4gQdQaMOAkrn:line176','{"kind":"sat","player":"vd9D4gQdQaMOAkrn","name":"Bo","seat":3,"nonce":"m"}');
INSERT INTO "log" VALUES('Dt1WjGxuRJWGRAZT',1,1794846755798,NULL,'{"kind":"opened","by":"vd9D4gQdQaMOAkrn","game":"poison","options":{"players":3},"seats":[null,null,null],"secret":"a1f52b3e2e3aa067a7f2e8af46a3fb3d95084087ca80cdb7c618ba9779d3ed53"}');
INSERT INTO "log" VALUES('Dt1WjGxuRJWGRAZT',2,1794846755818,'vd9D4gQdQaMOAkrn:line178','{"kind":"closed"}');
CREATE TABLE outages (
	since BIGINT NOT NULL, 
	until BIGINT NOT NULL, 
	PRIMARY KEY (since)
);
CREATE TABLE players (
	player VARCHAR(24) NOT NULL, 
	name VARCHAR(24) NOT NULL, 
	key_hash VARCHAR(64) NOT NULL, 
	made BIGINT NOT NULL, 
	PRIMARY KEY (player)
);
INSERT INTO "players" VALUES('zrF1oQg0STxMckH7','Ana','86701d0ffaaf3dc26ea856218d6ea884e3e3fe299799262fc34d0901bf262641',1794846681493);
INSERT INTO "players" VALUES('vd9D4gQdQaMOAkrn','Bo','98b59f37c3671da3c890d0af9102def4e210a332e94aa73dd54abdf865e42ac9',1794846681670);
INSERT INTO "players" VALUES('lANORNeXEoU8YLtU','Cy','1981ceaf80dfcc7c378223a950d7b93d685f4da964105cd3022ce569996cfe65',1794846681857);
CREATE TABLE rooms (
	room VARCHAR(24) NOT NULL, 
	game VARCHAR(40) NOT NULL, 
	listed BOOLEAN NOT NULL, 
	stage VARCHAR(12) NOT NULL, 
	changed BIGINT NOT NULL, 
	PRIMARY KEY (room)
);
INSERT INTO "rooms" VALUES('4FwSAV390FJA-PsO','shokoba',1,'playing',1794846682901);
INSERT INTO "rooms" VALUES('fjQXl1g19fabvv8F','poison',0,'playing',1794846689927);
INSERT INTO "rooms" VALUES('--jng78QhiKmldJ6','dungeon',0,'playing',1794846690193);
INSERT INTO "rooms" VALUES('10xzqtffxABtJ0D8','shock',0,'playing',1794846754485);
INSERT INTO "rooms" VALUES('VpcCwxyTkQcB074b','anaphylaxis',0,'over',1794846755688);
INSERT INTO "rooms" VALUES('YFb6S6cDvWIOiwxs','shokoba',1,'gathering',1794846755726);
INSERT INTO "rooms" VALUES('Dt1WjGxuRJWGRAZT','poison',0,'closed',1794846755818);
CREATE TABLE seats (
	room VARCHAR(24) NOT NULL, 
	player VARCHAR(24) NOT NULL, 
	PRIMARY KEY (room, player), 
	FOREIGN KEY(room) REFERENCES rooms (room), 
	FOREIGN KEY(player) REFERENCES players (player)
);
INSERT INTO "seats" VALUES('4FwSAV390FJA-PsO','zrF1oQg0STxMckH7');
INSERT INTO "seats" VALUES('4FwSAV390FJA-PsO','vd9D4gQdQaMOAkrn');
INSERT INTO "seats" VALUES('fjQXl1g19fabvv8F','lANORNeXEoU8YLtU');
INSERT INTO "seats" VALUES('--jng78QhiKmldJ6','zrF1oQg0STxMckH7');
INSERT INTO "seats" VALUES('--jng78QhiKmldJ6','vd9D4gQdQaMOAkrn');
INSERT INTO "seats" VALUES('10xzqtffxABtJ0D8','zrF1oQg0STxMckH7');
INSERT INTO "seats" VALUES('10xzqtffxABtJ0D8','vd9D4gQdQaMOAkrn');
INSERT INTO "seats" VALUES('10xzqtffxABtJ0D8','lANORNeXEoU8YLtU');
INSERT INTO "seats" VALUES('VpcCwxyTkQcB074b','zrF1oQg0STxMckH7');
INSERT INTO "seats" VALUES('VpcCwxyTkQcB074b','vd9D4gQdQaMOAkrn');
INSERT INTO "seats" VALUES('VpcCwxyTkQcB074b','lANORNeXEoU8YLtU');
INSERT INTO "seats" VALUES('YFb6S6cDvWIOiwxs','vd9D4gQdQaMOAkrn');
CREATE INDEX rooms_by_stage ON rooms (stage, changed);
CREATE INDEX seats_by_player ON seats (player);
COMMIT;
