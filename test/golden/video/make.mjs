/*
 * Makes the clips beside it where they are missing, and vectors.json from them with FFmpeg's own tools. Needs ffmpeg and
 * ffprobe; the tests need neither. Run it as `node test/golden/video/make.mjs`.
 *
 * Frames are hashed as they come out of the decoder: `-fps_mode passthrough` neither repeats nor drops any, and
 * `-noautorotate` leaves them as coded, so that a digest speaks of the pixels alone.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';

process.chdir(import.meta.dirname ?? new URL('.', import.meta.url).pathname);

const exact = '-fflags +bitexact -flags:v +bitexact -map_metadata -1';
const CLIPS = {
  // With sound, which is no part of the picture.
  'plain.mp4': [
    `ffmpeg -f lavfi -i testsrc2=size=160x90:rate=24:duration=1 -f lavfi -i sine=frequency=440:duration=1.5 -c:v libx264 -crf 30 -pix_fmt yuv420p -c:a aac -b:a 32k -movflags +faststart ${exact} plain.mp4`,
  ],
  // B-frames under an edit list, a size that is no multiple of 16, the index at the end, to be shown turned by a quarter.
  'turned.mp4': [
    `ffmpeg -f lavfi -i testsrc2=size=178x98:rate=25:duration=1 -c:v libx264 -crf 30 -bf 3 -b_strategy 0 -pix_fmt yuv420p ${exact} upright.mp4`,
    `ffmpeg -i upright.mp4 -c copy -metadata:s:v:0 rotate=90 -fflags +bitexact turned.mp4`,
    `rm upright.mp4`,
  ],
  // Odd sides, 10 bits, full chroma, and frames left out here and there, so that the rate varies.
  'odd.mp4': [
    `ffmpeg -f lavfi -i testsrc=size=161x91:rate=30:duration=1 -vf select='mod(n\\,7)' -fps_mode passthrough -c:v libx264 -crf 30 -pix_fmt yuv444p10le ${exact} odd.mp4`,
  ],
  // Odd sides with halved chroma, and a rate that is no whole number.
  'vp9.webm': [
    `ffmpeg -f lavfi -i testsrc=size=161x91:rate=30000/1001:duration=1 -c:v libvpx-vp9 -b:v 150k -pix_fmt yuv420p ${exact} vp9.webm`,
  ],
};

/** Only for what it lacks. */
const SOUND = `ffmpeg -f lavfi -i sine=frequency=440:duration=0.2 -c:a aac -b:a 32k ${exact} sound.mp4`;

const sh = (command) =>
  execFileSync('sh', ['-c', command.replace(/^ffmpeg /, 'ffmpeg -y -v error ')], { encoding: 'utf8' });

if (!existsSync('sound.mp4')) sh(SOUND);
const clips = Object.entries(CLIPS).map(([file, made]) => {
  if (!existsSync(file)) for (const command of made) sh(command);
  const framemd5 = `ffmpeg -noautorotate -i ${file} -map 0:v:0 -fps_mode passthrough -f framemd5 -`;
  const ffprobe = `ffprobe -v error -select_streams v:0 -count_frames -show_entries stream=codec_name,width,height,pix_fmt,avg_frame_rate,duration,nb_read_frames:stream_side_data=rotation:format=duration -of json ${file}`;
  const frames = sh(framemd5)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(',').at(-1).trim());
  return { file, made, framemd5, frames, ffprobe, probed: JSON.parse(sh(ffprobe)) };
});
const version = sh('ffmpeg -version').split('\n')[0];
writeFileSync('vectors.json', `${JSON.stringify({ version, clips }, null, 1)}\n`);
