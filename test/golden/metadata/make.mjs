/*
 * Makes the clips beside it with FFmpeg: one stream in several files that differ in metadata and layout alone, and one
 * that differs in its stream. The tests need no ffmpeg. Run it as `node test/golden/metadata/make.mjs`.
 */
import { execFileSync } from 'node:child_process';

process.chdir(import.meta.dirname ?? new URL('.', import.meta.url).pathname);

const sh = (command) => execFileSync('sh', ['-c', `ffmpeg -y -v error ${command}`]);
const picture = '-f lavfi -i testsrc2=size=64x48:rate=12:duration=0.5';
const sound = '-f lavfi -i sine=frequency=440:duration=0.5 -c:a aac -b:a 24k';
const coded = '-c:v libx264 -bf 2 -pix_fmt yuv420p';
const FRAGMENTS = '-movflags frag_keyframe+empty_moov';

sh(`${picture} ${sound} ${coded} -crf 45 plain.mp4`);
sh('-i plain.mp4 -c copy -metadata comment=x comment.mp4');
sh('-i plain.mp4 -c copy -movflags +faststart -metadata:s:v handler_name=other faststart.mp4');
sh('-i plain.mp4 -c copy -metadata creation_time=2024-01-01T00:00:00Z time.mp4');
sh(`${picture} ${sound} ${coded} -crf 48 other.mp4`);
sh(`${picture} ${coded} -crf 45 plain.mov`);
sh('-i plain.mov -c copy -metadata comment=x comment.mov');
sh(`${picture} ${coded} -crf 45 ${FRAGMENTS} fragments.mp4`);
sh(`-i fragments.mp4 -c copy -metadata comment=x ${FRAGMENTS} fragments-comment.mp4`);
