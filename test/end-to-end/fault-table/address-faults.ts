import { behindUrl, type Fault, reply } from './fault.ts';

/** Ways to write an address that is not public, and one name of it. */
const PRIVATE = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '%31%32%37.0.0.1',
  '%E2%91%A0%E2%91%A1%E2%91%A6.0.0.1',
  '127.0.0.1.',
  '0',
  '0.0.0.0',
  'localhost',
  '10.1.2.3',
  '100.64.0.1',
  '169.254.169.254',
  '172.31.255.255',
  '192.168.0.1',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[fe80::1]',
  '[fd00::1]',
] as const;

/** Where the base is a public name: media must not come from this machine or its network, however that is written. */
export const ADDRESS_FAULTS: readonly Fault[] = PRIVATE.flatMap((host): readonly Fault[] => [
  behindUrl(`a redirect to ${host}`, 'error download_address_refused', 'started sent headers accepted ready', {
    base: 'name',
    target: { origins: { download: ['*'] } },
    media: [reply(302, [`location: http://${host}:TRAP/1.png`])],
    asked: { media: 1 },
  }),
]);
