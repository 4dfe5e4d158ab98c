// The emojis that the picker offers, in Unicode's order: made by scripts/make-emoji-list, not by hand.
// Names, groups and search words are from the Unicode Character Database and CLDR, whose licence follows.
//
// COPYRIGHT AND PERMISSION NOTICE
//
// Copyright © 1991-2022 Unicode, Inc. All rights reserved.
// Distributed under the Terms of Use in https://www.unicode.org/copyright.html.
//
// Permission is hereby granted, free of charge, to any person obtaining
// a copy of the Unicode data files and any associated documentation
// (the "Data Files") or Unicode software and any associated documentation
// (the "Software") to deal in the Data Files or Software
// without restriction, including without limitation the rights to use,
// copy, modify, merge, publish, distribute, and/or sell copies of
// the Data Files or Software, and to permit persons to whom the Data Files
// or Software are furnished to do so, provided that either
// (a) this copyright and permission notice appear with all copies
// of the Data Files or Software, or
// (b) this copyright and permission notice appear in associated
// Documentation.
//
// THE DATA FILES AND SOFTWARE ARE PROVIDED "AS IS", WITHOUT WARRANTY OF
// ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
// WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
// NONINFRINGEMENT OF THIRD PARTY RIGHTS.
// IN NO EVENT SHALL THE COPYRIGHT HOLDER OR HOLDERS INCLUDED IN THIS
// NOTICE BE LIABLE FOR ANY CLAIM, OR ANY SPECIAL INDIRECT OR CONSEQUENTIAL
// DAMAGES, OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE,
// DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER
// TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR
// PERFORMANCE OF THE DATA FILES OR SOFTWARE.
//
// Except as contained in this notice, the name of a copyright holder
// shall not be used in advertising or otherwise to promote the sale,
// use or other dealings in these Data Files or Software without prior
// written authorization of the copyright holder.
export const emojiList = `
# Faces & hearts
😀	grinning face	grin
😃	grinning face with big eyes	mouth open smile
😄	grinning face with smiling eyes	eye mouth open smile
😁	beaming face with smiling eyes	eye grin smile
😆	grinning squinting face	laugh mouth satisfied smile
😅	grinning face with sweat	cold open smile
🤣	rolling on the floor laughing	face laugh rofl rotfl
😂	face with tears of joy	laugh tear
🙂	slightly smiling face	smile
🙃	upside-down face
🫠	melting face	disappear dissolve liquid melt
😉	winking face	wink
😊	smiling face with smiling eyes	blush eye smile
😇	smiling face with halo	angel fantasy innocent
🥰	smiling face with hearts	adore crush in love
😍	smiling face with heart-eyes	eye love smile
🤩	star-struck	eyes face grinning
😘	face blowing a kiss
😗	kissing face	kiss
☺️	smiling face	outlined relaxed smile
😚	kissing face with closed eyes	eye kiss
😙	kissing face with smiling eyes	eye kiss smile
🥲	smiling face with tear	grateful proud relieved touched
😋	face savoring food	delicious savouring smile yum
😛	face with tongue
😜	winking face with tongue	eye joke wink
🤪	zany face	eye goofy large small
😝	squinting face with tongue	eye horrible taste
🤑	money-mouth face
🤗	smiling face with open hands	hug hugging
🤭	face with hand over mouth	whoops
🫢	face with open eyes and hand over mouth	amazement awe disbelief embarrass scared surprise
🫣	face with peeking eye	captivated peep stare
🤫	shushing face	quiet shush
🤔	thinking face
🫡	saluting face	ok salute sunny troops yes
🤐	zipper-mouth face
🤨	face with raised eyebrow	distrust skeptic
😐	neutral face	deadpan meh
😑	expressionless face	inexpressive meh unexpressive
😶	face without mouth	quiet silent
🫥	dotted line face	depressed disappear hide introvert invisible
😶‍🌫️	face in clouds	absentminded the fog head
😏	smirking face	smirk
😒	unamused face	unhappy
🙄	face with rolling eyes	eyeroll
😬	grimacing face	grimace
😮‍💨	face exhaling	exhale gasp groan relief whisper whistle
🤥	lying face	lie pinocchio
🫨	shaking face
😌	relieved face
😔	pensive face	dejected
😪	sleepy face	good night sleep
🤤	drooling face
😴	sleeping face	good night sleep zzz
😷	face with medical mask	cold doctor sick
🤒	face with thermometer	ill sick
🤕	face with head-bandage	hurt injury
🤢	nauseated face	vomit
🤮	face vomiting	puke sick vomit
🤧	sneezing face	gesundheit sneeze
🥵	hot face	feverish heat stroke red faced sweating
🥶	cold face	blue faced freezing frostbite icicles
🥴	woozy face	dizzy intoxicated tipsy uneven eyes wavy mouth
😵	face with crossed-out eyes	dead knocked
😵‍💫	face with spiral eyes	dizzy hypnotized trouble whoa
🤯	exploding head	mind blown shocked
🤠	cowboy hat face	cowgirl
🥳	partying face	celebration hat horn party
🥸	disguised face	disguise glasses incognito nose
😎	smiling face with sunglasses	bright cool sun
🤓	nerd face	geek
🧐	face with monocle	stuffy
😕	confused face	meh
🫤	face with diagonal mouth	disappointed meh skeptical unsure
😟	worried face
🙁	slightly frowning face	frown
☹️	frowning face	frown
😮	face with open mouth	sympathy
😯	hushed face	stunned surprised
😲	astonished face	shocked totally
😳	flushed face	dazed
🥺	pleading face	begging mercy puppy eyes
🥹	face holding back tears	angry cry proud resist sad
😦	frowning face with open mouth	frown
😧	anguished face
😨	fearful face	fear scared
😰	anxious face with sweat	blue cold rushed
😥	sad but relieved face	disappointed whew
😢	crying face	cry sad tear
😭	loudly crying face	cry sad sob tear
😱	face screaming in fear	munch scared scream
😖	confounded face
😣	persevering face	persevere
😞	disappointed face
😓	downcast face with sweat	cold
😩	weary face	tired
😫	tired face
🥱	yawning face	bored tired yawn
😤	face with steam from nose	triumph won
😡	enraged face	angry mad pouting rage red
😠	angry face	anger mad
🤬	face with symbols on mouth	swearing
😈	smiling face with horns	fairy tale fantasy smile
👿	angry face with horns	demon devil fantasy imp
💀	skull	death face fairy tale monster
☠️	skull and crossbones	death face monster
💩	pile of poo	dung face monster poop
🤡	clown face
👹	ogre	creature face fairy tale fantasy monster
👺	goblin	creature face fairy tale fantasy monster
👻	ghost	creature face fairy tale fantasy monster
👽	alien	creature extraterrestrial face fantasy ufo
👾	alien monster	creature extraterrestrial face ufo
🤖	robot	face monster
😺	grinning cat	face mouth open smile
😸	grinning cat with smiling eyes	eye face grin smile
😹	cat with tears of joy	face tear
😻	smiling cat with heart-eyes	eye face love smile
😼	cat with wry smile	face ironic
😽	kissing cat	eye face kiss
🙀	weary cat	face oh surprised
😿	crying cat	cry face sad tear
😾	pouting cat	face
🙈	see-no-evil monkey	face forbidden
🙉	hear-no-evil monkey	face forbidden
🙊	speak-no-evil monkey	face forbidden
💌	love letter	heart mail
💘	heart with arrow	cupid
💝	heart with ribbon	valentine
💖	sparkling heart	excited sparkle
💗	growing heart	excited nervous pulse
💓	beating heart	heartbeat pulsating
💞	revolving hearts
💕	two hearts	love
💟	heart decoration
❣️	heart exclamation	mark punctuation
💔	broken heart	break
❤️‍🔥	heart on fire	burn love lust sacred
❤️‍🩹	mending heart	healthier improving recovering recuperating well
❤️	red heart
🩷	pink heart
🧡	orange heart
💛	yellow heart
💚	green heart
💙	blue heart
🩵	light blue heart
💜	purple heart
🤎	brown heart
🖤	black heart	evil wicked
🩶	grey heart
🤍	white heart
💋	kiss mark	lips
💯	hundred points	100 full score
💢	anger symbol	angry comic mad
💥	collision	boom comic
💫	dizzy	comic star
💦	sweat droplets	comic splashing
💨	dashing away	comic dash running
🕳️	hole
💬	speech balloon	bubble comic dialog
👁️‍🗨️	eye in speech bubble	balloon witness
🗨️	left speech bubble	balloon dialog
🗯️	right anger bubble	angry balloon mad
💭	thought balloon	bubble comic
💤	ZZZ	comic good night sleep
# People
👋	waving hand	wave
🤚	raised back of hand	backhand
🖐️	hand with fingers splayed	finger
✋	raised hand	high five
🖖	vulcan salute	finger hand spock
🫱	rightwards hand	right rightward
🫲	leftwards hand	left leftward
🫳	palm down hand	dismiss drop shoo
🫴	palm up hand	beckon catch come offer
🫷	leftwards pushing hand
🫸	rightwards pushing hand
👌	OK hand
🤌	pinched fingers	hand gesture interrogation sarcastic
🤏	pinching hand	small amount
✌️	victory hand
🤞	crossed fingers	cross finger hand luck
🫰	hand with index finger and thumb crossed	expensive heart love money snap
🤟	love-you gesture	hand ily
🤘	sign of the horns	finger hand rock on
🤙	call me hand	hang loose shaka
👈	backhand index pointing left	finger hand point
👉	backhand index pointing right	finger hand point
👆	backhand index pointing up	finger hand point
🖕	middle finger	hand
👇	backhand index pointing down	finger hand point
☝️	index pointing up	finger hand point
🫵	index pointing at the viewer	point you
👍	thumbs up	hand thumb
👎	thumbs down	hand thumb
✊	raised fist	clenched hand punch
👊	oncoming fist	clenched hand punch
🤛	left-facing fist	leftwards
🤜	right-facing fist	rightwards
👏	clapping hands	clap hand
🙌	raising hands	celebration gesture hand hooray raised
🫶	heart hands	love
👐	open hands	hand
🤲	palms up together	prayer
🤝	handshake	agreement hand meeting shake
🙏	folded hands	ask hand high five please pray thanks
✍️	writing hand	write
💅	nail polish	care cosmetics manicure
🤳	selfie	camera phone
💪	flexed biceps	comic flex muscle
🦾	mechanical arm	accessibility prosthetic
🦿	mechanical leg	accessibility prosthetic
🦵	leg	kick limb
🦶	foot	kick stomp
👂	ear	body
🦻	ear with hearing aid	accessibility hard of
👃	nose	body
🧠	brain	intelligent
🫀	anatomical heart	cardiology organ pulse
🫁	lungs	breath exhalation inhalation organ respiration
🦷	tooth	dentist
🦴	bone	skeleton
👀	eyes	eye face
👁️	eye	body
👅	tongue	body
👄	mouth	lips
🫦	biting lip	anxious fear flirting nervous uncomfortable worried
👶	baby	young
🧒	child	gender neutral unspecified young
👦	boy	young
👧	girl	virgo young zodiac
🧑	person	adult gender neutral unspecified
👱	person: blond hair	haired
👨	man	adult
🧔	person: beard
🧔‍♂️	man: beard
🧔‍♀️	woman: beard
👨‍🦰	man: red hair	adult
👨‍🦱	man: curly hair	adult
👨‍🦳	man: white hair	adult
👨‍🦲	man: bald	adult
👩	woman	adult
👩‍🦰	woman: red hair	adult
🧑‍🦰	person: red hair	adult gender neutral unspecified
👩‍🦱	woman: curly hair	adult
🧑‍🦱	person: curly hair	adult gender neutral unspecified
👩‍🦳	woman: white hair	adult
🧑‍🦳	person: white hair	adult gender neutral unspecified
👩‍🦲	woman: bald	adult
🧑‍🦲	person: bald	adult gender neutral unspecified
👱‍♀️	woman: blond hair	haired blonde
👱‍♂️	man: blond hair	haired
🧓	older person	adult gender neutral old unspecified
👴	old man	adult
👵	old woman	adult
🙍	person frowning	frown gesture
🙍‍♂️	man frowning	gesture
🙍‍♀️	woman frowning	gesture
🙎	person pouting	gesture
🙎‍♂️	man pouting	gesture
🙎‍♀️	woman pouting	gesture
🙅	person gesturing NO	forbidden gesture hand prohibited
🙅‍♂️	man gesturing NO	forbidden gesture hand prohibited
🙅‍♀️	woman gesturing NO	forbidden gesture hand prohibited
🙆	person gesturing OK	gesture hand
🙆‍♂️	man gesturing OK	gesture hand
🙆‍♀️	woman gesturing OK	gesture hand
💁	person tipping hand	help information sassy
💁‍♂️	man tipping hand	sassy
💁‍♀️	woman tipping hand	sassy
🙋	person raising hand	gesture happy raised
🙋‍♂️	man raising hand	gesture
🙋‍♀️	woman raising hand	gesture
🧏	deaf person	accessibility ear hear
🧏‍♂️	deaf man
🧏‍♀️	deaf woman
🙇	person bowing	apology bow gesture sorry
🙇‍♂️	man bowing	apology favor gesture sorry
🙇‍♀️	woman bowing	apology favor gesture sorry
🤦	person facepalming	disbelief exasperation face palm
🤦‍♂️	man facepalming	disbelief exasperation facepalm
🤦‍♀️	woman facepalming	disbelief exasperation facepalm
🤷	person shrugging	doubt ignorance indifference shrug
🤷‍♂️	man shrugging	doubt ignorance indifference shrug
🤷‍♀️	woman shrugging	doubt ignorance indifference shrug
🧑‍⚕️	health worker	doctor healthcare nurse therapist
👨‍⚕️	man health worker	doctor healthcare nurse therapist
👩‍⚕️	woman health worker	doctor healthcare nurse therapist
🧑‍🎓	student	graduate
👨‍🎓	man student	graduate
👩‍🎓	woman student	graduate
🧑‍🏫	teacher	instructor professor
👨‍🏫	man teacher	instructor professor
👩‍🏫	woman teacher	instructor professor
🧑‍⚖️	judge	justice scales
👨‍⚖️	man judge	justice scales
👩‍⚖️	woman judge	justice scales
🧑‍🌾	farmer	gardener rancher
👨‍🌾	man farmer	gardener rancher
👩‍🌾	woman farmer	gardener rancher
🧑‍🍳	cook	chef
👨‍🍳	man cook	chef
👩‍🍳	woman cook	chef
🧑‍🔧	mechanic	electrician plumber tradesperson
👨‍🔧	man mechanic	electrician plumber tradesperson
👩‍🔧	woman mechanic	electrician plumber tradesperson
🧑‍🏭	factory worker	assembly industrial
👨‍🏭	man factory worker	assembly industrial
👩‍🏭	woman factory worker	assembly industrial
🧑‍💼	office worker	architect business manager white collar
👨‍💼	man office worker	architect business manager white collar
👩‍💼	woman office worker	architect business manager white collar
🧑‍🔬	scientist	biologist chemist engineer physicist
👨‍🔬	man scientist	biologist chemist engineer physicist
👩‍🔬	woman scientist	biologist chemist engineer physicist
🧑‍💻	technologist	coder developer inventor software
👨‍💻	man technologist	coder developer inventor software
👩‍💻	woman technologist	coder developer inventor software
🧑‍🎤	singer	actor entertainer rock star
👨‍🎤	man singer	actor entertainer rock star
👩‍🎤	woman singer	actor entertainer rock star
🧑‍🎨	artist	palette
👨‍🎨	man artist	palette
👩‍🎨	woman artist	palette
🧑‍✈️	pilot	plane
👨‍✈️	man pilot	plane
👩‍✈️	woman pilot	plane
🧑‍🚀	astronaut	rocket
👨‍🚀	man astronaut	rocket
👩‍🚀	woman astronaut	rocket
🧑‍🚒	firefighter	firetruck
👨‍🚒	man firefighter	firetruck
👩‍🚒	woman firefighter	firetruck
👮	police officer	cop
👮‍♂️	man police officer	cop
👮‍♀️	woman police officer	cop
🕵️	detective	sleuth spy
🕵️‍♂️	man detective	sleuth spy
🕵️‍♀️	woman detective	sleuth spy
💂	guard
💂‍♂️	man guard
💂‍♀️	woman guard
🥷	ninja	fighter hidden stealth
👷	construction worker	hat
👷‍♂️	man construction worker
👷‍♀️	woman construction worker
🫅	person with crown	monarch noble regal royalty
🤴	prince
👸	princess	fairy tale fantasy
👳	person wearing turban
👳‍♂️	man wearing turban
👳‍♀️	woman wearing turban
👲	person with skullcap	cap gua pi mao hat
🧕	woman with headscarf	hijab mantilla tichel
🤵	person in tuxedo	groom
🤵‍♂️	man in tuxedo
🤵‍♀️	woman in tuxedo
👰	person with veil	bride wedding
👰‍♂️	man with veil
👰‍♀️	woman with veil
🤰	pregnant woman
🫃	pregnant man	belly bloated full
🫄	pregnant person	belly bloated full
🤱	breast-feeding	baby nursing
👩‍🍼	woman feeding baby	nursing
👨‍🍼	man feeding baby	nursing
🧑‍🍼	person feeding baby	nursing
👼	baby angel	face fairy tale fantasy
🎅	Santa Claus	celebration christmas father
🤶	Mrs. Claus	celebration christmas mother
🧑‍🎄	mx claus	christmas
🦸	superhero	good hero heroine superpower
🦸‍♂️	man superhero	good hero superpower
🦸‍♀️	woman superhero	good hero heroine superpower
🦹	supervillain	criminal evil superpower villain
🦹‍♂️	man supervillain	criminal evil superpower villain
🦹‍♀️	woman supervillain	criminal evil superpower villain
🧙	mage	sorcerer sorceress witch wizard
🧙‍♂️	man mage	sorcerer wizard
🧙‍♀️	woman mage	sorceress witch
🧚	fairy	oberon puck titania
🧚‍♂️	man fairy	oberon puck
🧚‍♀️	woman fairy	titania
🧛	vampire	dracula undead
🧛‍♂️	man vampire	dracula undead
🧛‍♀️	woman vampire	undead
🧜	merperson	mermaid merman merwoman
🧜‍♂️	merman	triton
🧜‍♀️	mermaid	merwoman
🧝	elf	magical
🧝‍♂️	man elf	magical
🧝‍♀️	woman elf	magical
🧞	genie	djinn
🧞‍♂️	man genie	djinn
🧞‍♀️	woman genie	djinn
🧟	zombie	undead walking dead
🧟‍♂️	man zombie	undead walking dead
🧟‍♀️	woman zombie	undead walking dead
🧌	troll	fairy tale fantasy monster
💆	person getting massage	face salon
💆‍♂️	man getting massage	face
💆‍♀️	woman getting massage	face
💇	person getting haircut	barber beauty parlor
💇‍♂️	man getting haircut
💇‍♀️	woman getting haircut
🚶	person walking	hike walk
🚶‍♂️	man walking	hike walk
🚶‍♀️	woman walking	hike walk
🧍	person standing	stand
🧍‍♂️	man standing
🧍‍♀️	woman standing
🧎	person kneeling	kneel
🧎‍♂️	man kneeling
🧎‍♀️	woman kneeling
🧑‍🦯	person with white cane	accessibility blind
👨‍🦯	man with white cane	accessibility blind
👩‍🦯	woman with white cane	accessibility blind
🧑‍🦼	person in motorized wheelchair	accessibility
👨‍🦼	man in motorized wheelchair	accessibility
👩‍🦼	woman in motorized wheelchair	accessibility
🧑‍🦽	person in manual wheelchair	accessibility
👨‍🦽	man in manual wheelchair	accessibility
👩‍🦽	woman in manual wheelchair	accessibility
🏃	person running	marathon
🏃‍♂️	man running	marathon racing
🏃‍♀️	woman running	marathon racing
💃	woman dancing	dance
🕺	man dancing	dance
🕴️	person in suit levitating	business
👯	people with bunny ears	ear dancer partying
👯‍♂️	men with bunny ears	ear dancer partying
👯‍♀️	women with bunny ears	ear dancer partying
🧖	person in steamy room	sauna steam
🧖‍♂️	man in steamy room	sauna steam
🧖‍♀️	woman in steamy room	sauna steam
🧗	person climbing	climber
🧗‍♂️	man climbing	climber
🧗‍♀️	woman climbing	climber
🤺	person fencing	fencer sword
🏇	horse racing	jockey racehorse
⛷️	skier	ski snow
🏂	snowboarder	ski snow snowboard
🏌️	person golfing	ball golf
🏌️‍♂️	man golfing	golf
🏌️‍♀️	woman golfing	golf
🏄	person surfing
🏄‍♂️	man surfing
🏄‍♀️	woman surfing
🚣	person rowing boat	rowboat
🚣‍♂️	man rowing boat	rowboat
🚣‍♀️	woman rowing boat	rowboat
🏊	person swimming	swim
🏊‍♂️	man swimming	swim
🏊‍♀️	woman swimming	swim
⛹️	person bouncing ball
⛹️‍♂️	man bouncing ball
⛹️‍♀️	woman bouncing ball
🏋️	person lifting weights	lifter weight
🏋️‍♂️	man lifting weights	weight lifter
🏋️‍♀️	woman lifting weights	weight lifter
🚴	person biking	bicycle cyclist
🚴‍♂️	man biking	bicycle cyclist
🚴‍♀️	woman biking	bicycle cyclist
🚵	person mountain biking	bicycle bicyclist bike cyclist
🚵‍♂️	man mountain biking	bicycle bike cyclist
🚵‍♀️	woman mountain biking	bicycle bike cyclist
🤸	person cartwheeling	cartwheel gymnastics
🤸‍♂️	man cartwheeling	cartwheel gymnastics
🤸‍♀️	woman cartwheeling	cartwheel gymnastics
🤼	people wrestling	wrestle wrestler
🤼‍♂️	men wrestling	wrestle
🤼‍♀️	women wrestling	wrestle
🤽	person playing water polo
🤽‍♂️	man playing water polo
🤽‍♀️	woman playing water polo
🤾	person playing handball	ball
🤾‍♂️	man playing handball
🤾‍♀️	woman playing handball
🤹	person juggling	balance juggle multitask skill
🤹‍♂️	man juggling	multitask
🤹‍♀️	woman juggling	multitask
🧘	person in lotus position	meditation yoga
🧘‍♂️	man in lotus position	meditation yoga
🧘‍♀️	woman in lotus position	meditation yoga
🛀	person taking bath	bathtub
🛌	person in bed	good night hotel sleep
🧑‍🤝‍🧑	people holding hands	couple hand hold person
👭	women holding hands	couple hand
👫	woman and man holding hands	couple hand hold
👬	men holding hands	couple gemini man twins zodiac
💏	kiss	couple
👩‍❤️‍💋‍👨	kiss: woman, man	couple
👨‍❤️‍💋‍👨	kiss: man, man	couple
👩‍❤️‍💋‍👩	kiss: woman, woman	couple
💑	couple with heart	love
👩‍❤️‍👨	couple with heart: woman, man	love
👨‍❤️‍👨	couple with heart: man, man	love
👩‍❤️‍👩	couple with heart: woman, woman	love
👪	family
👨‍👩‍👦	family: man, woman, boy
👨‍👩‍👧	family: man, woman, girl
👨‍👩‍👧‍👦	family: man, woman, girl, boy
👨‍👩‍👦‍👦	family: man, woman, boy, boy
👨‍👩‍👧‍👧	family: man, woman, girl, girl
👨‍👨‍👦	family: man, man, boy
👨‍👨‍👧	family: man, man, girl
👨‍👨‍👧‍👦	family: man, man, girl, boy
👨‍👨‍👦‍👦	family: man, man, boy, boy
👨‍👨‍👧‍👧	family: man, man, girl, girl
👩‍👩‍👦	family: woman, woman, boy
👩‍👩‍👧	family: woman, woman, girl
👩‍👩‍👧‍👦	family: woman, woman, girl, boy
👩‍👩‍👦‍👦	family: woman, woman, boy, boy
👩‍👩‍👧‍👧	family: woman, woman, girl, girl
👨‍👦	family: man, boy
👨‍👦‍👦	family: man, boy, boy
👨‍👧	family: man, girl
👨‍👧‍👦	family: man, girl, boy
👨‍👧‍👧	family: man, girl, girl
👩‍👦	family: woman, boy
👩‍👦‍👦	family: woman, boy, boy
👩‍👧	family: woman, girl
👩‍👧‍👦	family: woman, girl, boy
👩‍👧‍👧	family: woman, girl, girl
🗣️	speaking head	face silhouette speak
👤	bust in silhouette
👥	busts in silhouette	bust
🫂	people hugging	goodbye hello hug thanks
👣	footprints	clothing footprint print
# Animals & nature
🐵	monkey face
🐒	monkey
🦍	gorilla
🦧	orangutan	ape
🐶	dog face	pet
🐕	dog	pet
🦮	guide dog	accessibility blind
🐕‍🦺	service dog	accessibility assistance
🐩	poodle	dog
🐺	wolf	face
🦊	fox	face
🦝	raccoon	curious sly
🐱	cat face	pet
🐈	cat	pet
🐈‍⬛	black cat	unlucky
🦁	lion	face leo zodiac
🐯	tiger face
🐅	tiger
🐆	leopard
🐴	horse face
🫎	moose
🫏	donkey
🐎	horse	equestrian racehorse racing
🦄	unicorn	face
🦓	zebra	stripe
🦌	deer
🦬	bison	buffalo herd wisent
🐮	cow face
🐂	ox	bull taurus zodiac
🐃	water buffalo
🐄	cow
🐷	pig face
🐖	pig	sow
🐗	boar	pig
🐽	pig nose	face
🐏	ram	aries male sheep zodiac
🐑	ewe	female sheep
🐐	goat	capricorn zodiac
🐪	camel	dromedary hump
🐫	two-hump camel	bactrian
🦙	llama	alpaca guanaco vicuña wool
🦒	giraffe	spots
🐘	elephant
🦣	mammoth	extinction large tusk woolly
🦏	rhinoceros
🦛	hippopotamus	hippo
🐭	mouse face
🐁	mouse
🐀	rat
🐹	hamster	face pet
🐰	rabbit face	bunny pet
🐇	rabbit	bunny pet
🐿️	chipmunk	squirrel
🦫	beaver	dam
🦔	hedgehog	spiny
🦇	bat	vampire
🐻	bear	face
🐻‍❄️	polar bear	arctic white
🐨	koala	face marsupial
🐼	panda	face
🦥	sloth	lazy slow
🦦	otter	fishing playful
🦨	skunk	stink
🦘	kangaroo	australia joey jump marsupial
🦡	badger	honey pester
🐾	paw prints	feet print
🦃	turkey	bird
🐔	chicken	bird
🐓	rooster	bird
🐣	hatching chick	baby bird
🐤	baby chick	bird
🐥	front-facing baby chick	bird
🐦	bird
🐧	penguin	bird
🕊️	dove	bird fly peace
🦅	eagle	bird
🦆	duck	bird
🦢	swan	bird cygnet ugly duckling
🦉	owl	bird wise
🦤	dodo	extinction large mauritius
🪶	feather	bird flight light plumage
🦩	flamingo	flamboyant tropical
🦚	peacock	bird ostentatious peahen proud
🦜	parrot	bird pirate talk
🪽	wing
🐦‍⬛	black bird
🪿	goose
🐸	frog	face
🐊	crocodile
🐢	turtle	terrapin tortoise
🦎	lizard	reptile
🐍	snake	bearer ophiuchus serpent zodiac
🐲	dragon face	fairy tale
🐉	dragon	fairy tale
🦕	sauropod	brachiosaurus brontosaurus diplodocus
🦖	T-Rex	tyrannosaurus
🐳	spouting whale	face
🐋	whale
🐬	dolphin	flipper
🦭	seal	sea lion
🐟	fish	pisces zodiac
🐠	tropical fish
🐡	blowfish	fish
🦈	shark	fish
🐙	octopus
🐚	spiral shell
🪸	coral	ocean reef
🪼	jellyfish
🐌	snail
🦋	butterfly	insect pretty
🐛	bug	insect
🐜	ant	insect
🐝	honeybee	bee insect
🪲	beetle	bug insect
🐞	lady beetle	insect ladybird ladybug
🦗	cricket	grasshopper
🪳	cockroach	insect pest roach
🕷️	spider	insect
🕸️	spider web
🦂	scorpion	scorpio zodiac
🦟	mosquito	disease fever malaria pest virus
🪰	fly	disease maggot pest rotting
🪱	worm	annelid earthworm parasite
🦠	microbe	amoeba bacteria virus
💐	bouquet	flower
🌸	cherry blossom	flower
💮	white flower
🪷	lotus	buddhism flower hinduism india purity vietnam
🏵️	rosette	plant
🌹	rose	flower
🥀	wilted flower
🌺	hibiscus	flower
🌻	sunflower	flower sun
🌼	blossom	flower
🌷	tulip	flower
🪻	hyacinth
🌱	seedling	young
🪴	potted plant	boring grow house nurturing useless
🌲	evergreen tree
🌳	deciduous tree	shedding
🌴	palm tree
🌵	cactus	plant
🌾	sheaf of rice	ear grain
🌿	herb	leaf
☘️	shamrock	plant
🍀	four leaf clover
🍁	maple leaf	falling
🍂	fallen leaf	falling
🍃	leaf fluttering in wind	blow flutter
🪹	empty nest	nesting
🪺	nest with eggs	nesting
🍄	mushroom	toadstool
# Food & drink
🍇	grapes	fruit grape
🍈	melon	fruit
🍉	watermelon	fruit
🍊	tangerine	fruit orange
🍋	lemon	citrus fruit
🍌	banana	fruit
🍍	pineapple	fruit
🥭	mango	fruit tropical
🍎	red apple	fruit
🍏	green apple	fruit
🍐	pear	fruit
🍑	peach	fruit
🍒	cherries	berries cherry fruit red
🍓	strawberry	berry fruit
🫐	blueberries	berry bilberry blue blueberry
🥝	kiwi fruit	food
🍅	tomato	fruit vegetable
🫒	olive	food
🥥	coconut	palm piña colada
🥑	avocado	food fruit
🍆	eggplant	aubergine vegetable
🥔	potato	food vegetable
🥕	carrot	food vegetable
🌽	ear of corn	maize maze
🌶️	hot pepper
🫑	bell pepper	capsicum vegetable
🥒	cucumber	food pickle vegetable
🥬	leafy green	bok choy cabbage kale lettuce
🥦	broccoli	wild cabbage
🧄	garlic	flavoring
🧅	onion	flavoring
🥜	peanuts	food nut peanut vegetable
🫘	beans	food kidney legume
🌰	chestnut	plant
🫚	ginger root
🫛	pea pod
🍞	bread	loaf
🥐	croissant	bread breakfast food french roll
🥖	baguette bread	food french
🫓	flatbread	arepa lavash naan pita
🥨	pretzel	twisted
🥯	bagel	bakery breakfast schmear
🥞	pancakes	breakfast crêpe food hotcake pancake
🧇	waffle	breakfast indecisive iron
🧀	cheese wedge
🍖	meat on bone
🍗	poultry leg	bone chicken drumstick
🥩	cut of meat	chop lambchop porkchop steak
🥓	bacon	breakfast food meat
🍔	hamburger	burger
🍟	french fries
🍕	pizza	cheese slice
🌭	hot dog	frankfurter hotdog sausage
🥪	sandwich	bread
🌮	taco	mexican
🌯	burrito	mexican wrap
🫔	tamale	mexican wrapped
🥙	stuffed flatbread	falafel food gyro kebab
🧆	falafel	chickpea meatball
🥚	egg	breakfast food
🍳	cooking	breakfast egg frying pan
🥘	shallow pan of food	casserole paella
🍲	pot of food	stew
🫕	fondue	cheese chocolate melted pot swiss
🥣	bowl with spoon	breakfast cereal congee
🥗	green salad	food
🍿	popcorn
🧈	butter	dairy
🧂	salt	condiment shaker
🥫	canned food	can
🍱	bento box
🍘	rice cracker
🍙	rice ball	japanese
🍚	cooked rice
🍛	curry rice
🍜	steaming bowl	noodle ramen
🍝	spaghetti	pasta
🍠	roasted sweet potato
🍢	oden	kebab seafood skewer stick
🍣	sushi
🍤	fried shrimp	prawn tempura
🍥	fish cake with swirl	pastry
🥮	moon cake	autumn festival yuèbǐng
🍡	dango	dessert japanese skewer stick sweet
🥟	dumpling	empanada gyōza jiaozi pierogi potsticker
🥠	fortune cookie	prophecy
🥡	takeout box	oyster pail
🦀	crab	cancer zodiac
🦞	lobster	bisque claws seafood
🦐	shrimp	food shellfish small
🦑	squid	food molusc
🦪	oyster	diving pearl
🍦	soft ice cream	dessert icecream sweet
🍧	shaved ice	dessert sweet
🍨	ice cream	dessert sweet
🍩	doughnut	breakfast dessert donut sweet
🍪	cookie	dessert sweet
🎂	birthday cake	celebration dessert pastry sweet
🍰	shortcake	cake dessert pastry slice sweet
🧁	cupcake	bakery sweet
🥧	pie	filling pastry
🍫	chocolate bar	dessert sweet
🍬	candy	dessert sweet
🍭	lollipop	candy dessert sweet
🍮	custard	dessert pudding sweet
🍯	honey pot	honeypot sweet
🍼	baby bottle	drink milk
🥛	glass of milk	drink
☕	hot beverage	coffee drink steaming tea
🫖	teapot	drink pot tea
🍵	teacup without handle	beverage cup drink tea
🍶	sake	bar beverage bottle cup drink
🍾	bottle with popping cork	bar drink
🍷	wine glass	bar beverage drink
🍸	cocktail glass	bar drink
🍹	tropical drink	bar
🍺	beer mug	bar drink
🍻	clinking beer mugs	bar clink drink mug
🥂	clinking glasses	celebrate clink drink glass
🥃	tumbler glass	liquor shot whisky
🫗	pouring liquid	drink empty glass spill
🥤	cup with straw	juice soda
🧋	bubble tea	milk pearl
🧃	beverage box	juice straw sweet
🧉	mate	drink
🧊	ice	cold cube iceberg
🥢	chopsticks	hashi
🍽️	fork and knife with plate	cooking
🍴	fork and knife	cooking cutlery
🥄	spoon	tableware
🔪	kitchen knife	cooking hocho tool weapon
🫙	jar	condiment container empty sauce store
🏺	amphora	aquarius cooking drink jug zodiac
# Places & weather
🌍	globe showing Europe-Africa	earth world
🌎	globe showing Americas	earth world
🌏	globe showing Asia-Australia	earth world
🌐	globe with meridians	earth world
🗺️	world map
🗾	map of Japan
🧭	compass	magnetic navigation orienteering
🏔️	snow-capped mountain	cold
⛰️	mountain
🌋	volcano	eruption mountain
🗻	mount fuji	mountain
🏕️	camping
🏖️	beach with umbrella
🏜️	desert
🏝️	desert island
🏞️	national park
🏟️	stadium
🏛️	classical building
🏗️	building construction
🧱	brick	bricks clay mortar wall
🪨	rock	boulder heavy solid stone
🪵	wood	log lumber timber
🛖	hut	house roundhouse yurt
🏘️	houses
🏚️	derelict house
🏠	house	home
🏡	house with garden	home
🏢	office building
🏣	Japanese post office
🏤	post office	european
🏥	hospital	doctor medicine
🏦	bank	building
🏨	hotel	building
🏩	love hotel
🏪	convenience store
🏫	school	building
🏬	department store
🏭	factory	building
🏯	Japanese castle
🏰	castle	european
💒	wedding	chapel romance
🗼	Tokyo tower
🗽	Statue of Liberty
⛪	church	christian cross religion
🕌	mosque	islam muslim religion
🛕	hindu temple
🕍	synagogue	jew jewish religion temple
⛩️	shinto shrine	religion
🕋	kaaba	islam muslim religion
⛲	fountain
⛺	tent	camping
🌁	foggy	fog
🌃	night with stars	star
🏙️	cityscape	city
🌄	sunrise over mountains	morning mountain sun
🌅	sunrise	morning sun
🌆	cityscape at dusk	city evening landscape sunset
🌇	sunset	dusk sun
🌉	bridge at night
♨️	hot springs	hotsprings steaming
🎠	carousel horse
🛝	playground slide	amusement park play
🎡	ferris wheel	amusement park
🎢	roller coaster	amusement park
💈	barber pole	haircut
🎪	circus tent
🚂	locomotive	engine railway steam train
🚃	railway car	electric train tram trolleybus
🚄	high-speed train	railway shinkansen
🚅	bullet train	railway shinkansen speed
🚆	train	railway
🚇	metro	subway
🚈	light rail	railway
🚉	station	railway train
🚊	tram	trolleybus
🚝	monorail	vehicle
🚞	mountain railway	car
🚋	tram car	trolleybus
🚌	bus	vehicle
🚍	oncoming bus
🚎	trolleybus	bus tram trolley
🚐	minibus	bus
🚑	ambulance	vehicle
🚒	fire engine	truck
🚓	police car	patrol
🚔	oncoming police car
🚕	taxi	vehicle
🚖	oncoming taxi
🚗	automobile	car
🚘	oncoming automobile	car
🚙	sport utility vehicle	recreational
🛻	pickup truck	pick up
🚚	delivery truck
🚛	articulated lorry	semi truck
🚜	tractor	vehicle
🏎️	racing car
🏍️	motorcycle	racing
🛵	motor scooter
🦽	manual wheelchair	accessibility
🦼	motorized wheelchair	accessibility
🛺	auto rickshaw	tuk
🚲	bicycle	bike
🛴	kick scooter
🛹	skateboard	board
🛼	roller skate
🚏	bus stop
🛣️	motorway	highway road
🛤️	railway track	train
🛢️	oil drum
⛽	fuel pump	diesel fuelpump gas station
🛞	wheel	circle tire turn
🚨	police car light	beacon revolving
🚥	horizontal traffic light	signal
🚦	vertical traffic light	signal
🛑	stop sign	octagonal
🚧	construction	barrier
⚓	anchor	ship tool
🛟	ring buoy	float life preserver saver rescue safety
⛵	sailboat	boat resort sea yacht
🛶	canoe	boat
🚤	speedboat	boat
🛳️	passenger ship
⛴️	ferry	boat passenger
🛥️	motor boat	motorboat
🚢	ship	boat passenger
✈️	airplane	aeroplane
🛩️	small airplane	aeroplane
🛫	airplane departure	aeroplane check in departures
🛬	airplane arrival	aeroplane arrivals arriving landing
🪂	parachute	hang glide parasail skydive
💺	seat	chair
🚁	helicopter	vehicle
🚟	suspension railway
🚠	mountain cableway	cable gondola
🚡	aerial tramway	cable car gondola
🛰️	satellite	space
🚀	rocket	space
🛸	flying saucer	ufo
🛎️	bellhop bell	hotel
🧳	luggage	packing travel
⌛	hourglass done	sand timer
⏳	hourglass not done	sand timer
⌚	watch	clock
⏰	alarm clock
⏱️	stopwatch	clock
⏲️	timer clock
🕰️	mantelpiece clock
🕛	twelve o’clock	00 12
🕧	twelve-thirty	12 30 clock
🕐	one o’clock	00
🕜	one-thirty	30 clock
🕑	two o’clock	00
🕝	two-thirty	30 clock
🕒	three o’clock	00
🕞	three-thirty	30 clock
🕓	four o’clock	00
🕟	four-thirty	30 clock
🕔	five o’clock	00
🕠	five-thirty	30 clock
🕕	six o’clock	00
🕡	six-thirty	30 clock
🕖	seven o’clock	00
🕢	seven-thirty	30 clock
🕗	eight o’clock	00
🕣	eight-thirty	30 clock
🕘	nine o’clock	00
🕤	nine-thirty	30 clock
🕙	ten o’clock	00 10
🕥	ten-thirty	10 30 clock
🕚	eleven o’clock	00 11
🕦	eleven-thirty	11 30 clock
🌑	new moon	dark
🌒	waxing crescent moon
🌓	first quarter moon
🌔	waxing gibbous moon
🌕	full moon
🌖	waning gibbous moon
🌗	last quarter moon
🌘	waning crescent moon
🌙	crescent moon
🌚	new moon face
🌛	first quarter moon face
🌜	last quarter moon face
🌡️	thermometer	weather
☀️	sun	bright rays sunny
🌝	full moon face	bright
🌞	sun with face	bright
🪐	ringed planet	saturn saturnine
⭐	star
🌟	glowing star	glittery glow shining sparkle
🌠	shooting star	falling
🌌	milky way	space
☁️	cloud	weather
⛅	sun behind cloud
⛈️	cloud with lightning and rain	thunder
🌤️	sun behind small cloud
🌥️	sun behind large cloud
🌦️	sun behind rain cloud
🌧️	cloud with rain
🌨️	cloud with snow	cold
🌩️	cloud with lightning
🌪️	tornado	cloud whirlwind
🌫️	fog	cloud
🌬️	wind face	blow cloud
🌀	cyclone	dizzy hurricane twister typhoon
🌈	rainbow	rain
🌂	closed umbrella	clothing rain
☂️	umbrella	clothing rain
☔	umbrella with rain drops	clothing drop
⛱️	umbrella on ground	rain sun
⚡	high voltage	danger electric lightning zap
❄️	snowflake	cold snow
☃️	snowman	cold snow
⛄	snowman without snow	cold
☄️	comet	space
🔥	fire	flame tool
💧	droplet	cold comic drop sweat
🌊	water wave	ocean
# Play
🎃	jack-o-lantern	celebration halloween
🎄	Christmas tree	celebration
🎆	fireworks	celebration
🎇	sparkler	celebration fireworks sparkle
🧨	firecracker	dynamite explosive fireworks
✨	sparkles	sparkle star
🎈	balloon	celebration
🎉	party popper	celebration tada
🎊	confetti ball	celebration
🎋	tanabata tree	banner celebration japanese
🎍	pine decoration	bamboo celebration japanese
🎎	Japanese dolls	celebration doll festival
🎏	carp streamer	celebration
🎐	wind chime	bell celebration
🎑	moon viewing ceremony	celebration
🧧	red envelope	gift good luck hóngbāo lai see money
🎀	ribbon	celebration
🎁	wrapped gift	box celebration present
🎗️	reminder ribbon	celebration
🎟️	admission tickets	ticket
🎫	ticket	admission
🎖️	military medal	celebration
🏆	trophy	prize
🏅	sports medal
🥇	1st place medal	first gold
🥈	2nd place medal	second silver
🥉	3rd place medal	bronze third
⚽	soccer ball	football
⚾	baseball	ball
🥎	softball	ball glove underarm
🏀	basketball	ball hoop
🏐	volleyball	ball game
🏈	american football	ball
🏉	rugby football	ball
🎾	tennis	ball racquet
🥏	flying disc	ultimate
🎳	bowling	ball game
🏏	cricket game	ball bat
🏑	field hockey	ball game stick
🏒	ice hockey	game puck stick
🥍	lacrosse	ball goal stick
🏓	ping pong	ball bat game paddle table tennis
🏸	badminton	birdie game racquet shuttlecock
🥊	boxing glove
🥋	martial arts uniform	judo karate taekwondo
🥅	goal net
⛳	flag in hole	golf
⛸️	ice skate
🎣	fishing pole	fish
🤿	diving mask	scuba snorkeling
🎽	running shirt	athletics sash
🎿	skis	ski snow
🛷	sled	sledge sleigh
🥌	curling stone	game rock
🎯	bullseye	dart direct hit game target
🪀	yo-yo	fluctuate toy
🪁	kite	fly soar
🔫	water pistol	gun handgun revolver tool weapon
🎱	pool 8 ball	billiard eight game
🔮	crystal ball	fairy tale fantasy fortune tool
🪄	magic wand	witch wizard
🎮	video game	controller
🕹️	joystick	game video
🎰	slot machine	game
🎲	game die	dice
🧩	puzzle piece	clue interlocking jigsaw
🧸	teddy bear	plaything plush stuffed toy
🪅	piñata	celebration party
🪩	mirror ball	dance disco glitter party
🪆	nesting dolls	doll russia
♠️	spade suit	card game
♥️	heart suit	card game
♦️	diamond suit	card game
♣️	club suit	card game
♟️	chess pawn	dupe expendable
🃏	joker	card game wildcard
🀄	mahjong red dragon	game
🎴	flower playing cards	card game japanese
🎭	performing arts	art mask theater theatre
🖼️	framed picture	art frame museum painting
🎨	artist palette	art museum painting
🧵	thread	needle sewing spool string
🪡	sewing needle	embroidery stitches sutures tailoring
🧶	yarn	ball crochet knit
🪢	knot	rope tangled tie twine twist
# Things
👓	glasses	clothing eye eyeglasses eyewear
🕶️	sunglasses	dark eye eyewear glasses
🥽	goggles	eye protection swimming welding
🥼	lab coat	doctor experiment scientist
🦺	safety vest	emergency
👔	necktie	clothing tie
👕	t-shirt	clothing tshirt
👖	jeans	clothing pants trousers
🧣	scarf	neck
🧤	gloves	hand
🧥	coat	jacket
🧦	socks	stocking
👗	dress	clothing
👘	kimono	clothing
🥻	sari	clothing dress
🩱	one-piece swimsuit	bathing suit
🩲	briefs	bathing suit one piece swimsuit underwear
🩳	shorts	bathing suit pants underwear
👙	bikini	clothing swim
👚	woman’s clothes	clothing
🪭	folding hand fan
👛	purse	clothing coin
👜	handbag	bag clothing purse
👝	clutch bag	clothing pouch
🛍️	shopping bags	bag hotel
🎒	backpack	bag rucksack satchel school
🩴	thong sandal	beach sandals thongs zōri
👞	man’s shoe	clothing
👟	running shoe	athletic clothing sneaker
🥾	hiking boot	backpacking camping
🥿	flat shoe	ballet slip on slipper
👠	high-heeled shoe	clothing heel woman
👡	woman’s sandal	clothing shoe
🩰	ballet shoes	dance
👢	woman’s boot	clothing shoe
🪮	hair pick
👑	crown	clothing king queen
👒	woman’s hat	clothing
🎩	top hat	clothing tophat
🎓	graduation cap	celebration clothing hat
🧢	billed cap	baseball
🪖	military helmet	army soldier warrior
⛑️	rescue worker’s helmet	aid cross face hat
📿	prayer beads	clothing necklace religion
💄	lipstick	cosmetics makeup
💍	ring	diamond
💎	gem stone	diamond jewel
🔇	muted speaker	mute quiet silent
🔈	speaker low volume	soft
🔉	speaker medium volume
🔊	speaker high volume	loud
📢	loudspeaker	loud public address
📣	megaphone	cheering
📯	postal horn	post
🔔	bell
🔕	bell with slash	forbidden mute quiet silent
🎼	musical score	music
🎵	musical note	music
🎶	musical notes	music note
🎙️	studio microphone	mic music
🎚️	level slider	music
🎛️	control knobs	music
🎤	microphone	karaoke mic
🎧	headphone	earbud
📻	radio	video
🎷	saxophone	instrument music sax
🪗	accordion	concertina squeeze box
🎸	guitar	instrument music
🎹	musical keyboard	instrument music piano
🎺	trumpet	instrument music
🎻	violin	instrument music
🪕	banjo	music stringed
🥁	drum	drumsticks music
🪘	long drum	beat conga rhythm
🪇	maracas
🪈	flute
📱	mobile phone	cell telephone
📲	mobile phone with arrow	cell receive
☎️	telephone	phone
📞	telephone receiver	phone
📟	pager
📠	fax machine
🔋	battery
🪫	low battery	electronic energy
🔌	electric plug	electricity
💻	laptop	computer pc personal
🖥️	desktop computer
🖨️	printer	computer
⌨️	keyboard	computer
🖱️	computer mouse
🖲️	trackball	computer
💽	computer disk	minidisk optical
💾	floppy disk	computer
💿	optical disk	cd computer
📀	dvd	blu ray computer disk optical
🧮	abacus	calculation
🎥	movie camera	cinema
🎞️	film frames	cinema movie
📽️	film projector	cinema movie video
🎬	clapper board	movie
📺	television	tv video
📷	camera	video
📸	camera with flash	video
📹	video camera
📼	videocassette	tape vhs video
🔍	magnifying glass tilted left	search tool
🔎	magnifying glass tilted right	search tool
🕯️	candle	light
💡	light bulb	comic electric idea
🔦	flashlight	electric light tool torch
🏮	red paper lantern	bar light
🪔	diya lamp	oil
📔	notebook with decorative cover	book decorated
📕	closed book
📖	open book
📗	green book
📘	blue book
📙	orange book
📚	books	book
📓	notebook
📒	ledger	notebook
📃	page with curl	document
📜	scroll	paper
📄	page facing up	document
📰	newspaper	news paper
🗞️	rolled-up newspaper	news paper
📑	bookmark tabs	mark marker
🔖	bookmark	mark
🏷️	label
💰	money bag	dollar moneybag
🪙	coin	gold metal money silver treasure
💴	yen banknote	bill currency money note
💵	dollar banknote	bill currency money note
💶	euro banknote	bill currency money note
💷	pound banknote	bill currency money note
💸	money with wings	banknote bill fly
💳	credit card	money
🧾	receipt	accounting bookkeeping evidence proof
💹	chart increasing with yen	graph growth money
✉️	envelope	email letter
📧	e-mail	email letter
📨	incoming envelope	mail email letter receive
📩	envelope with arrow	mail email outgoing
📤	outbox tray	box letter mail sent
📥	inbox tray	box letter mail receive
📦	package	box parcel
📫	closed mailbox with raised flag	mail postbox
📪	closed mailbox with lowered flag	mail postbox
📬	open mailbox with raised flag	mail postbox
📭	open mailbox with lowered flag	mail postbox
📮	postbox	mail mailbox
🗳️	ballot box with ballot
✏️	pencil
✒️	black nib	pen
🖋️	fountain pen
🖊️	pen	ballpoint
🖌️	paintbrush	painting
🖍️	crayon
📝	memo	pencil
💼	briefcase
📁	file folder
📂	open file folder
🗂️	card index dividers
📅	calendar	date
📆	tear-off calendar
🗒️	spiral notepad	note pad
🗓️	spiral calendar	pad
📇	card index	rolodex
📈	chart increasing	graph growth trend upward
📉	chart decreasing	down graph trend
📊	bar chart	graph
📋	clipboard
📌	pushpin	pin
📍	round pushpin	pin
📎	paperclip
🖇️	linked paperclips	link paperclip
📏	straight ruler	edge
📐	triangular ruler	set triangle
✂️	scissors	cutting tool
🗃️	card file box
🗄️	file cabinet	filing
🗑️	wastebasket
🔒	locked	closed
🔓	unlocked	lock open unlock
🔏	locked with pen	ink lock nib privacy
🔐	locked with key	closed lock secure
🔑	key	lock password
🗝️	old key	clue lock
🔨	hammer	tool
🪓	axe	chop hatchet split wood
⛏️	pick	mining tool
⚒️	hammer and pick	tool
🛠️	hammer and wrench	spanner tool
🗡️	dagger	knife weapon
⚔️	crossed swords	weapon
💣	bomb	comic
🪃	boomerang	australia rebound repercussion
🏹	bow and arrow	archer sagittarius zodiac
🛡️	shield	weapon
🪚	carpentry saw	carpenter lumber tool
🔧	wrench	spanner tool
🪛	screwdriver	screw tool
🔩	nut and bolt	tool
⚙️	gear	cog cogwheel tool
🗜️	clamp	compress tool vice
⚖️	balance scale	justice libra zodiac
🦯	white cane	accessibility blind
🔗	link
⛓️	chains	chain
🪝	hook	catch crook curve ensnare selling point
🧰	toolbox	chest mechanic tool
🧲	magnet	attraction horseshoe magnetic
🪜	ladder	climb rung step
⚗️	alembic	chemistry tool
🧪	test tube	chemist chemistry experiment lab science
🧫	petri dish	bacteria biologist biology culture lab
🧬	dna	biologist evolution gene genetics life
🔬	microscope	science tool
🔭	telescope	science tool
📡	satellite antenna	dish
💉	syringe	medicine needle shot sick
🩸	drop of blood	bleed donation injury medicine menstruation
💊	pill	doctor medicine sick
🩹	adhesive bandage
🩼	crutch	cane disability hurt mobility aid stick
🩺	stethoscope	doctor heart medicine
🩻	x-ray	bones doctor medical skeleton
🚪	door
🛗	elevator	accessibility hoist lift
🪞	mirror	reflection reflector speculum
🪟	window	frame fresh air opening transparent view
🛏️	bed	hotel sleep
🛋️	couch and lamp	hotel
🪑	chair	seat sit
🚽	toilet
🪠	plunger	force cup plumber suction toilet
🚿	shower	water
🛁	bathtub	bath
🪤	mouse trap	bait mousetrap snare
🪒	razor	sharp shave
🧴	lotion bottle	moisturizer shampoo sunscreen
🧷	safety pin	diaper punk rock
🧹	broom	cleaning sweeping witch
🧺	basket	farming laundry picnic
🧻	roll of paper	towels toilet
🪣	bucket	cask pail vat
🧼	soap	bar bathing cleaning lather soapdish
🫧	bubbles	burp clean soap underwater
🪥	toothbrush	bathroom brush clean dental hygiene teeth
🧽	sponge	absorbing cleaning porous
🧯	fire extinguisher	extinguish quench
🛒	shopping cart	trolley
🚬	cigarette	smoking
⚰️	coffin	death
🪦	headstone	cemetery grave graveyard tombstone
⚱️	funeral urn	ashes death
🧿	nazar amulet	bead charm evil eye talisman
🪬	hamsa	amulet fatima hand mary miriam protection
🗿	moai	face moyai statue
🪧	placard	demonstration picket protest sign
🪪	identification card	credentials id license security
# Signs
🏧	ATM sign	automated bank teller
🚮	litter in bin sign
🚰	potable water	drinking
♿	wheelchair symbol	access
🚹	men’s room	bathroom lavatory man restroom toilet wc
🚺	women’s room	bathroom lavatory restroom toilet wc woman
🚻	restroom	bathroom lavatory toilet wc
🚼	baby symbol	changing
🚾	water closet	bathroom lavatory restroom toilet wc
🛂	passport control
🛃	customs
🛄	baggage claim
🛅	left luggage	baggage locker
⚠️	warning
🚸	children crossing	child pedestrian traffic
⛔	no entry	forbidden not prohibited traffic
🚫	prohibited	entry forbidden no not
🚳	no bicycles	bicycle bike forbidden prohibited
🚭	no smoking	forbidden not prohibited
🚯	no littering	forbidden litter not prohibited
🚱	non-potable water	drinking
🚷	no pedestrians	forbidden not pedestrian prohibited
📵	no mobile phones	cell forbidden phone
🔞	no one under eighteen	18 age restriction prohibited underage
☢️	radioactive	sign
☣️	biohazard	sign
⬆️	up arrow	cardinal direction north
↗️	up-right arrow	direction intercardinal northeast
➡️	right arrow	cardinal direction east
↘️	down-right arrow	direction intercardinal southeast
⬇️	down arrow	cardinal direction south
↙️	down-left arrow	direction intercardinal southwest
⬅️	left arrow	cardinal direction west
↖️	up-left arrow	direction intercardinal northwest
↕️	up-down arrow
↔️	left-right arrow
↩️	right arrow curving left
↪️	left arrow curving right
⤴️	right arrow curving up
⤵️	right arrow curving down
🔃	clockwise vertical arrows	arrow reload
🔄	counterclockwise arrows button	anticlockwise arrow withershins
🔙	BACK arrow
🔚	END arrow
🔛	ON! arrow	mark
🔜	SOON arrow
🔝	TOP arrow	up
🛐	place of worship	religion
⚛️	atom symbol	atheist
🕉️	om	hindu religion
✡️	star of David	jew jewish religion
☸️	wheel of dharma	buddhist religion
☯️	yin yang	religion tao taoist
✝️	latin cross	christian religion
☦️	orthodox cross	christian religion
☪️	star and crescent	islam muslim religion
☮️	peace symbol
🕎	menorah	candelabrum candlestick religion
🔯	dotted six-pointed star	fortune
🪯	khanda
♈	Aries	ram zodiac
♉	Taurus	bull ox zodiac
♊	Gemini	twins zodiac
♋	Cancer	crab zodiac
♌	Leo	lion zodiac
♍	Virgo	zodiac
♎	Libra	balance justice scales zodiac
♏	Scorpio	scorpion scorpius zodiac
♐	Sagittarius	archer zodiac
♑	Capricorn	goat zodiac
♒	Aquarius	bearer water zodiac
♓	Pisces	fish zodiac
⛎	Ophiuchus	bearer serpent snake zodiac
🔀	shuffle tracks button	arrow crossed
🔁	repeat button	arrow clockwise
🔂	repeat single button	arrow clockwise once
▶️	play button	arrow right triangle
⏩	fast-forward button	arrow double
⏭️	next track button	arrow scene triangle
⏯️	play or pause button	arrow right triangle
◀️	reverse button	arrow left triangle
⏪	fast reverse button	arrow double rewind
⏮️	last track button	arrow previous scene triangle
🔼	upwards button	arrow red
⏫	fast up button	arrow double
🔽	downwards button	arrow down red
⏬	fast down button	arrow double
⏸️	pause button	bar double vertical
⏹️	stop button	square
⏺️	record button	circle
⏏️	eject button
🎦	cinema	camera film movie
🔅	dim button	brightness low
🔆	bright button	brightness
📶	antenna bars	bar cell mobile phone
🛜	wireless
📳	vibration mode	cell mobile phone telephone
📴	mobile phone off	cell telephone
♀️	female sign	woman
♂️	male sign	man
⚧️	transgender symbol
✖️	multiply	cancel multiplication sign
➕	plus	math sign
➖	minus	math sign
➗	divide	division math sign
🟰	heavy equals sign	equality math
♾️	infinity	forever unbounded universal
‼️	double exclamation mark	bangbang
⁉️	exclamation question mark	interrobang punctuation
❓	red question mark	punctuation
❔	white question mark	outlined punctuation
❕	white exclamation mark	outlined punctuation
❗	red exclamation mark	punctuation
〰️	wavy dash	punctuation
💱	currency exchange	bank money
💲	heavy dollar sign	currency money
⚕️	medical symbol	aesculapius medicine staff
♻️	recycling symbol	recycle
⚜️	fleur-de-lis
🔱	trident emblem	anchor ship tool
📛	name badge
🔰	Japanese symbol for beginner	chevron leaf
⭕	hollow red circle	large
✅	check mark button
☑️	check box with check
✔️	check mark
❌	cross mark	cancel multiplication multiply
❎	cross mark button	square
➰	curly loop	curl
➿	double curly loop	curl
〽️	part alternation mark
✳️	eight-spoked asterisk
✴️	eight-pointed star
❇️	sparkle
©️	copyright
®️	registered
™️	trade mark	tm trademark
#️⃣	keycap: #
*️⃣	keycap: *
0️⃣	keycap: 0
1️⃣	keycap: 1
2️⃣	keycap: 2
3️⃣	keycap: 3
4️⃣	keycap: 4
5️⃣	keycap: 5
6️⃣	keycap: 6
7️⃣	keycap: 7
8️⃣	keycap: 8
9️⃣	keycap: 9
🔟	keycap: 10
🔠	input latin uppercase	abcd letters
🔡	input latin lowercase	abcd letters
🔢	input numbers	1234
🔣	input symbols
🔤	input latin letters	abc alphabet
🅰️	A button (blood type)
🆎	AB button (blood type)
🅱️	B button (blood type)
🆑	CL button
🆒	COOL button
🆓	FREE button
ℹ️	information
🆔	ID button	identity
Ⓜ️	circled M	circle
🆕	NEW button
🆖	NG button
🅾️	O button (blood type)
🆗	OK button
🅿️	P button	parking
🆘	SOS button	help
🆙	UP! button	mark
🆚	VS button	versus
🈁	Japanese “here” button	katakana ココ
🈂️	Japanese “service charge” button	katakana
🈷️	Japanese “monthly amount” button	ideograph
🈶	Japanese “not free of charge” button	ideograph
🈯	Japanese “reserved” button	ideograph
🉐	Japanese “bargain” button	ideograph
🈹	Japanese “discount” button	ideograph
🈚	Japanese “free of charge” button	ideograph
🈲	Japanese “prohibited” button	ideograph
🉑	Japanese “acceptable” button	ideograph
🈸	Japanese “application” button	ideograph
🈴	Japanese “passing grade” button	ideograph
🈳	Japanese “vacancy” button	ideograph
㊗️	Japanese “congratulations” button	ideograph
㊙️	Japanese “secret” button	ideograph
🈺	Japanese “open for business” button	ideograph
🈵	Japanese “no vacancy” button	ideograph
🔴	red circle	geometric
🟠	orange circle
🟡	yellow circle
🟢	green circle
🔵	blue circle	geometric
🟣	purple circle
🟤	brown circle
⚫	black circle	geometric
⚪	white circle	geometric
🟥	red square
🟧	orange square
🟨	yellow square
🟩	green square
🟦	blue square
🟪	purple square
🟫	brown square
⬛	black large square	geometric
⬜	white large square	geometric
◼️	black medium square	geometric
◻️	white medium square	geometric
◾	black medium-small square	geometric
◽	white medium-small square	geometric
▪️	black small square	geometric
▫️	white small square	geometric
🔶	large orange diamond	geometric
🔷	large blue diamond	geometric
🔸	small orange diamond	geometric
🔹	small blue diamond	geometric
🔺	red triangle pointed up	geometric
🔻	red triangle pointed down	geometric
💠	diamond with a dot	comic geometric inside
🔘	radio button	geometric
🔳	white square button	geometric outlined
🔲	black square button	geometric
# Flags
🏁	chequered flag	checkered racing
🚩	triangular flag	post
🎌	crossed flags	celebration cross japanese
🏴	black flag	waving
🏳️	white flag	waving
🏳️‍🌈	rainbow flag	pride
🏳️‍⚧️	transgender flag	light blue pink white
🏴‍☠️	pirate flag	jolly roger plunder treasure
🇦🇨	flag: Ascension Island
🇦🇩	flag: Andorra
🇦🇪	flag: United Arab Emirates
🇦🇫	flag: Afghanistan
🇦🇬	flag: Antigua & Barbuda
🇦🇮	flag: Anguilla
🇦🇱	flag: Albania
🇦🇲	flag: Armenia
🇦🇴	flag: Angola
🇦🇶	flag: Antarctica
🇦🇷	flag: Argentina
🇦🇸	flag: American Samoa
🇦🇹	flag: Austria
🇦🇺	flag: Australia
🇦🇼	flag: Aruba
🇦🇽	flag: Åland Islands
🇦🇿	flag: Azerbaijan
🇧🇦	flag: Bosnia & Herzegovina
🇧🇧	flag: Barbados
🇧🇩	flag: Bangladesh
🇧🇪	flag: Belgium
🇧🇫	flag: Burkina Faso
🇧🇬	flag: Bulgaria
🇧🇭	flag: Bahrain
🇧🇮	flag: Burundi
🇧🇯	flag: Benin
🇧🇱	flag: St. Barthélemy
🇧🇲	flag: Bermuda
🇧🇳	flag: Brunei
🇧🇴	flag: Bolivia
🇧🇶	flag: Caribbean Netherlands
🇧🇷	flag: Brazil
🇧🇸	flag: Bahamas
🇧🇹	flag: Bhutan
🇧🇻	flag: Bouvet Island
🇧🇼	flag: Botswana
🇧🇾	flag: Belarus
🇧🇿	flag: Belize
🇨🇦	flag: Canada
🇨🇨	flag: Cocos (Keeling) Islands
🇨🇩	flag: Congo - Kinshasa
🇨🇫	flag: Central African Republic
🇨🇬	flag: Congo - Brazzaville
🇨🇭	flag: Switzerland
🇨🇮	flag: Côte d’Ivoire
🇨🇰	flag: Cook Islands
🇨🇱	flag: Chile
🇨🇲	flag: Cameroon
🇨🇳	flag: China
🇨🇴	flag: Colombia
🇨🇵	flag: Clipperton Island
🇨🇷	flag: Costa Rica
🇨🇺	flag: Cuba
🇨🇻	flag: Cape Verde
🇨🇼	flag: Curaçao
🇨🇽	flag: Christmas Island
🇨🇾	flag: Cyprus
🇨🇿	flag: Czechia
🇩🇪	flag: Germany
🇩🇬	flag: Diego Garcia
🇩🇯	flag: Djibouti
🇩🇰	flag: Denmark
🇩🇲	flag: Dominica
🇩🇴	flag: Dominican Republic
🇩🇿	flag: Algeria
🇪🇦	flag: Ceuta & Melilla
🇪🇨	flag: Ecuador
🇪🇪	flag: Estonia
🇪🇬	flag: Egypt
🇪🇭	flag: Western Sahara
🇪🇷	flag: Eritrea
🇪🇸	flag: Spain
🇪🇹	flag: Ethiopia
🇪🇺	flag: European Union
🇫🇮	flag: Finland
🇫🇯	flag: Fiji
🇫🇰	flag: Falkland Islands
🇫🇲	flag: Micronesia
🇫🇴	flag: Faroe Islands
🇫🇷	flag: France
🇬🇦	flag: Gabon
🇬🇧	flag: United Kingdom
🇬🇩	flag: Grenada
🇬🇪	flag: Georgia
🇬🇫	flag: French Guiana
🇬🇬	flag: Guernsey
🇬🇭	flag: Ghana
🇬🇮	flag: Gibraltar
🇬🇱	flag: Greenland
🇬🇲	flag: Gambia
🇬🇳	flag: Guinea
🇬🇵	flag: Guadeloupe
🇬🇶	flag: Equatorial Guinea
🇬🇷	flag: Greece
🇬🇸	flag: South Georgia & South Sandwich Islands
🇬🇹	flag: Guatemala
🇬🇺	flag: Guam
🇬🇼	flag: Guinea-Bissau
🇬🇾	flag: Guyana
🇭🇰	flag: Hong Kong SAR China
🇭🇲	flag: Heard & McDonald Islands
🇭🇳	flag: Honduras
🇭🇷	flag: Croatia
🇭🇹	flag: Haiti
🇭🇺	flag: Hungary
🇮🇨	flag: Canary Islands
🇮🇩	flag: Indonesia
🇮🇪	flag: Ireland
🇮🇱	flag: Israel
🇮🇲	flag: Isle of Man
🇮🇳	flag: India
🇮🇴	flag: British Indian Ocean Territory
🇮🇶	flag: Iraq
🇮🇷	flag: Iran
🇮🇸	flag: Iceland
🇮🇹	flag: Italy
🇯🇪	flag: Jersey
🇯🇲	flag: Jamaica
🇯🇴	flag: Jordan
🇯🇵	flag: Japan
🇰🇪	flag: Kenya
🇰🇬	flag: Kyrgyzstan
🇰🇭	flag: Cambodia
🇰🇮	flag: Kiribati
🇰🇲	flag: Comoros
🇰🇳	flag: St. Kitts & Nevis
🇰🇵	flag: North Korea
🇰🇷	flag: South Korea
🇰🇼	flag: Kuwait
🇰🇾	flag: Cayman Islands
🇰🇿	flag: Kazakhstan
🇱🇦	flag: Laos
🇱🇧	flag: Lebanon
🇱🇨	flag: St. Lucia
🇱🇮	flag: Liechtenstein
🇱🇰	flag: Sri Lanka
🇱🇷	flag: Liberia
🇱🇸	flag: Lesotho
🇱🇹	flag: Lithuania
🇱🇺	flag: Luxembourg
🇱🇻	flag: Latvia
🇱🇾	flag: Libya
🇲🇦	flag: Morocco
🇲🇨	flag: Monaco
🇲🇩	flag: Moldova
🇲🇪	flag: Montenegro
🇲🇫	flag: St. Martin
🇲🇬	flag: Madagascar
🇲🇭	flag: Marshall Islands
🇲🇰	flag: North Macedonia
🇲🇱	flag: Mali
🇲🇲	flag: Myanmar (Burma)
🇲🇳	flag: Mongolia
🇲🇴	flag: Macao SAR China
🇲🇵	flag: Northern Mariana Islands
🇲🇶	flag: Martinique
🇲🇷	flag: Mauritania
🇲🇸	flag: Montserrat
🇲🇹	flag: Malta
🇲🇺	flag: Mauritius
🇲🇻	flag: Maldives
🇲🇼	flag: Malawi
🇲🇽	flag: Mexico
🇲🇾	flag: Malaysia
🇲🇿	flag: Mozambique
🇳🇦	flag: Namibia
🇳🇨	flag: New Caledonia
🇳🇪	flag: Niger
🇳🇫	flag: Norfolk Island
🇳🇬	flag: Nigeria
🇳🇮	flag: Nicaragua
🇳🇱	flag: Netherlands
🇳🇴	flag: Norway
🇳🇵	flag: Nepal
🇳🇷	flag: Nauru
🇳🇺	flag: Niue
🇳🇿	flag: New Zealand
🇴🇲	flag: Oman
🇵🇦	flag: Panama
🇵🇪	flag: Peru
🇵🇫	flag: French Polynesia
🇵🇬	flag: Papua New Guinea
🇵🇭	flag: Philippines
🇵🇰	flag: Pakistan
🇵🇱	flag: Poland
🇵🇲	flag: St. Pierre & Miquelon
🇵🇳	flag: Pitcairn Islands
🇵🇷	flag: Puerto Rico
🇵🇸	flag: Palestinian Territories
🇵🇹	flag: Portugal
🇵🇼	flag: Palau
🇵🇾	flag: Paraguay
🇶🇦	flag: Qatar
🇷🇪	flag: Réunion
🇷🇴	flag: Romania
🇷🇸	flag: Serbia
🇷🇺	flag: Russia
🇷🇼	flag: Rwanda
🇸🇦	flag: Saudi Arabia
🇸🇧	flag: Solomon Islands
🇸🇨	flag: Seychelles
🇸🇩	flag: Sudan
🇸🇪	flag: Sweden
🇸🇬	flag: Singapore
🇸🇭	flag: St. Helena
🇸🇮	flag: Slovenia
🇸🇯	flag: Svalbard & Jan Mayen
🇸🇰	flag: Slovakia
🇸🇱	flag: Sierra Leone
🇸🇲	flag: San Marino
🇸🇳	flag: Senegal
🇸🇴	flag: Somalia
🇸🇷	flag: Suriname
🇸🇸	flag: South Sudan
🇸🇹	flag: São Tomé & Príncipe
🇸🇻	flag: El Salvador
🇸🇽	flag: Sint Maarten
🇸🇾	flag: Syria
🇸🇿	flag: Eswatini
🇹🇦	flag: Tristan da Cunha
🇹🇨	flag: Turks & Caicos Islands
🇹🇩	flag: Chad
🇹🇫	flag: French Southern Territories
🇹🇬	flag: Togo
🇹🇭	flag: Thailand
🇹🇯	flag: Tajikistan
🇹🇰	flag: Tokelau
🇹🇱	flag: Timor-Leste
🇹🇲	flag: Turkmenistan
🇹🇳	flag: Tunisia
🇹🇴	flag: Tonga
🇹🇷	flag: Turkey
🇹🇹	flag: Trinidad & Tobago
🇹🇻	flag: Tuvalu
🇹🇼	flag: Taiwan
🇹🇿	flag: Tanzania
🇺🇦	flag: Ukraine
🇺🇬	flag: Uganda
🇺🇲	flag: U.S. Outlying Islands
🇺🇳	flag: United Nations
🇺🇸	flag: United States
🇺🇾	flag: Uruguay
🇺🇿	flag: Uzbekistan
🇻🇦	flag: Vatican City
🇻🇨	flag: St. Vincent & Grenadines
🇻🇪	flag: Venezuela
🇻🇬	flag: British Virgin Islands
🇻🇮	flag: U.S. Virgin Islands
🇻🇳	flag: Vietnam
🇻🇺	flag: Vanuatu
🇼🇫	flag: Wallis & Futuna
🇼🇸	flag: Samoa
🇽🇰	flag: Kosovo
🇾🇪	flag: Yemen
🇾🇹	flag: Mayotte
🇿🇦	flag: South Africa
🇿🇲	flag: Zambia
🇿🇼	flag: Zimbabwe
🏴󠁧󠁢󠁥󠁮󠁧󠁿	flag: England
🏴󠁧󠁢󠁳󠁣󠁴󠁿	flag: Scotland
🏴󠁧󠁢󠁷󠁬󠁳󠁿	flag: Wales
`;
