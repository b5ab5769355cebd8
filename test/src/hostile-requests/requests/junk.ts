import { gzipSync } from 'node:zlib'
import { canary } from '../contract/leaks.js'

const text = (value: string): Uint8Array => Buffer.from(value, 'utf8')

/** Bodies that are no JSON, or JSON that nobody means. */
export const junk: readonly Uint8Array[] = [
  ...[
    '',
    ' ',
    'null',
    'true',
    '0',
    '-',
    '1e400',
    '-0',
    '[]',
    '[{}]',
    '{}',
    '""',
    `"${canary}"`,
    '{"a":',
    '{"a":1,}',
    '{a:1}',
    "{'a':1}",
    '{} {}',
    'NaN',
    'undefined',
    '\uFEFF{}',
    '\uFEFF\uFEFF{}',
    '{"a":1,"a":2}',
    '{"import_supplier":"A","import_supplier":{"b":[]}}',
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    '{"__proto__":null}',
    '{"toString":1,"valueOf":1,"hasOwnProperty":1,"then":1}',
    '"\\ud800"',
    '{"\\ud800":"\\udfff"}',
    '"\\u0000"',
    '{"a":"\u0001"}',
    '{"a\\u0000b":1}',
    `{"a":${'9'.repeat(400)}}`,
    `{"a":0.${'1'.repeat(400)}e-400}`,
    `{"${'k'.repeat(70_000)}":1}`,
    `[${'0,'.repeat(10_001)}0]`,
    '['.repeat(33) + ']'.repeat(33),
    '['.repeat(32) + ']'.repeat(32),
    '['.repeat(100_000),
    `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
    '{"a":"\u2028\u2029\u202e"}',
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    'import_supplier=A&external_account_number=B',
    '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--',
  ].map(text),
  Uint8Array.from([0x22, 0xe9, 0x22]),
  Uint8Array.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
  Uint8Array.from([0xff, 0xfe, 0x22, 0x00, 0x22, 0x00]),
  Uint8Array.from([0x00]),
  Uint8Array.from([0x1f, 0x8b]),
  gzipSync('{}'),
  gzipSync(gzipSync('{}')),
]

const mebibyte = 1_048_576

/** Around the limits of what is read in one piece, and of what is read at all; made once, as they are long. */
export const longBodies: readonly Uint8Array[] = [
  text(`{"billing_name":"${'x'.repeat(262_144)}"}`),
  text(`{"notes":[${'{},'.repeat(100_000)}{}]}`),
  text(`"${'a'.repeat(5 * mebibyte - 2)}"`),
  text(`"${'a'.repeat(5 * mebibyte - 1)}"`),
]
