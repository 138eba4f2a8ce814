import { describe, expect, test } from 'vitest';
import { FileValue, type Value } from '../../../src/targets/language/filter.ts';
import { parseTemplate, renderTemplate } from '../../../src/targets/language/template.ts';

const IMAGE = {
  fileName: 'cat.png',
  sha256: 'ab'.repeat(32),
  mime: 'image/png',
  bytes: new Uint8Array([1, 2, 3, 255]),
};

const VALUES: { readonly [name: string]: Value } = {
  prompt: 'a fox',
  seed: 42,
  digits: '007',
  ratio: '16:9',
  size: { width: 1024, height: 576 },
  tags: ['a', 'b'],
  on: true,
  gone: null,
  image: new FileValue(IMAGE),
  'with-dash': 'dash',
};

function render(text: string, files: 'bytes' | 'digest' = 'bytes'): { value: Value; problems: string[] } {
  const parsed = parseTemplate(text);
  if (!parsed.ok) throw new Error(parsed.errors.map(({ cause }) => cause).join());
  const problems: string[] = [];
  return { value: renderTemplate(parsed.template, { values: { case: VALUES }, files }, problems), problems };
}

describe('what a template gives', () => {
  test.each([
    ['plain text', 'plain text'],
    ['', ''],
    ['costs $5 and $$', 'costs $5 and $$'],
    ['${case.prompt}', 'a fox'],
    ['${ case.prompt }', 'a fox'],
    ['${case.seed}', 42],
    ['${case.on}', true],
    ['${case.tags}', ['a', 'b']],
    ['${case.tags.1}', 'b'],
    ['${case.size.width}', 1024],
    ['${case.with-dash}', 'dash'],
    ['seed=${case.seed};', 'seed=42;'],
    ['${case.prompt}${case.seed}', 'a fox42'],
    ['$${case.prompt}', '${case.prompt}'],
    ['a $${ b', 'a ${ b'],
    ['${case.seed | str}', '42'],
    ['${case.size | str}', '{"width":1024,"height":576}'],
    ['${case.digits | int}', 7],
    ["${case.ratio | wxh('x')}", '16x9'],
    ['${case.size | wxh}', '1024x576'],
    ["${case.size | wxh('*')}", '1024*576'],
    ['${case.size | pick(width)}', 1024],
    ['${case.size | pick(depth)}', undefined],
    ["${case.style | default('realistic')}", 'realistic'],
    ["${case.style | default('it\\'s } here')}", "it's } here"],
    ['${case.style | default(3)}', 3],
    ['${case.style | default(false)}', false],
    ["${case.prompt | default('other')}", 'a fox'],
    ["${case.gone | default('filled')}", 'filled'],
    ['${case.style | str}', undefined],
    ['${case.nothing.at.all}', undefined],
    ['${case.prompt | b64}', 'YSBmb3g='],
    ['${case.image | mime}', 'image/png'],
    ['${job.id}', undefined],
  ])('the template %s gives %j', (text, value) => {
    expect(render(text)).toEqual({ value, problems: [] });
  });

  test('an image stays one, and stands by its digest where only that is wanted', () => {
    expect(render('${case.image | file}').value).toEqual(new FileValue(IMAGE));
    expect(String(render('${case.image | data_uri}').value)).toBe('data:image/png;base64,AQID/w==');
    expect(String(render('${case.image | b64 | str}').value)).toBe('AQID/w==');
    expect(render('an ${case.image | b64}').value).toBe('an AQID/w==');
    expect(render('${case.image | b64 | b64}').value).toBe('QVFJRC93PT0=');
    expect(render('${case.image | b64 | pick(image)}').problems).toEqual(['case.image: pick takes an object']);
    expect(render('${case.image | data_uri}', 'digest').value).toBe(`data:image/png;sha256,${IMAGE.sha256}`);
    expect(render('${case.image | b64}', 'digest').value).toBe(`sha256,${IMAGE.sha256}`);
  });

  test.each([
    ['a ${case.style} fox', 'case.style is not given, and is part of a longer text'],
    ['a ${case.size} fox', 'case.size is not text or a number, and is part of a longer text'],
    ['a ${case.image} fox', 'case.image is not text or a number, and is part of a longer text'],
    ['${case.prompt | int}', 'case.prompt: int takes a whole number below 2^53'],
    ['${case.prompt | wxh}', 'case.prompt: wxh takes {width, height}, "W:H" or "WxH"'],
    ['${case.prompt | pick(x)}', 'case.prompt: pick takes an object'],
    ['${case.prompt | file}', 'case.prompt: file takes an image'],
    ['${case.prompt | data_uri}', 'case.prompt: data_uri takes an image'],
    ['${case.seed | b64}', 'case.seed: b64 takes an image or a text'],
    ['${case.prompt | mime}', 'case.prompt: mime takes an image'],
    ['${case.image | str}', 'case.image: str takes no image'],
  ])('the template %s cannot be filled: %s', (text, problem) => {
    expect(render(text).problems).toEqual([problem]);
  });

  test.each([
    'constructor',
    '__proto__',
    'toString',
    'hasOwnProperty',
    'size.constructor',
    'prompt.length',
    'tags.length',
  ])('the template of case.%s is not found on a prototype', (path) => {
    expect(render(`\${case.${path}}`)).toEqual({ value: undefined, problems: [] });
    expect(render(`\${case.size | pick(${path.split('.').pop()})}`).value).toBeUndefined();
  });
});

describe('what is wrong with a template', () => {
  test.each([
    ['${case.prompt', 1, '"${" is never closed', 'add "}", or write "$${" for the characters'],
    ['ab ${cse.prompt}', 4, 'unknown namespace "cse" in "${cse.prompt}"', 'did you mean "case"?'],
    ['${case}', 1, '"case" is not a valid path', 'write it as case.name, for example case.prompt'],
    ['${case.a b}', 1, '"case.a b" is not a valid path', 'write it as case.name, for example case.prompt'],
    ['${case.prompt | strr}', 1, 'unknown filter "strr"', 'did you mean "str"?'],
    ['${case.prompt | str(1)}', 1, 'str takes no argument', 'write str'],
    ['${case.prompt | default}', 1, 'default needs a value', "write default('value')"],
    ['${case.prompt | pick()}', 1, 'pick needs the name of a member', 'write pick(name)'],
    ["${case.prompt | default(it's)}", 1, '"${" is never closed', 'add "}", or write "$${" for the characters'],
    [
      '${case.prompt | default(a b)}',
      1,
      '"a b" is not a valid argument',
      "write 'text', a number, a word, true or false",
    ],
    [
      '${1 + 1}',
      1,
      'unknown namespace "1 + 1" in "${1 + 1}"',
      'known are case, judge, const, secret, job, run, each, env',
    ],
  ])('a wrong template is refused: %s', (text, column, cause, remedy) => {
    expect(parseTemplate(text)).toEqual({ ok: false, errors: [{ column, cause, remedy }] });
  });

  test('a wrong template gets every error', () => {
    const parsed = parseTemplate('${a.b} ${case.x | nope} ${const.y}');
    expect(parsed.ok ? [] : parsed.errors.map(({ column }) => column)).toEqual([1, 8]);
  });
});
