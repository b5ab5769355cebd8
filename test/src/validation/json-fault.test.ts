import test from 'ava'
import { jsonOf } from '@account-import/http-contract'

const encoder = new TextEncoder()

const faultOf = (text: string): string => {
  const read = jsonOf(encoder.encode(text))
  if (read._tag === 'Right') return 'none'
  return read.left._tag === 'NotJson' && read.left.at !== undefined
    ? `${read.left.at.line}:${read.left.at.column}`
    : read.left._tag
}

const places: readonly (readonly [text: string, place: string])[] = [
  ['', '1:1'],
  ['{', '1:2'],
  ['{"a": tru}', '1:7'],
  ['{"a": 1,}', '1:9'],
  ['{"a": 1 "b": 2}', '1:9'],
  ["{'a': 1}", '1:2'],
  ['{"a": 01}', '1:8'],
  ['[1, 2', '1:6'],
  ['[1, 2]]', '1:7'],
  ['{\n  "a": 1,\n  "b": nope\n}', '3:8'],
  ['{"a": "x\ny"}', '1:9'],
  [String.raw`{"a": "\x"}`, '1:8'],
  ['"never ends', '1:12'],
  ['NaN', '1:1'],
]

for (const [text, place] of places)
  test(`broken JSON is placed at ${place}: ${JSON.stringify(text)}`, (t) => {
    t.is(faultOf(text), place)
  })

const repeated: readonly (readonly [text: string, place: string])[] = [
  ['{"a":1,"a":1}', '1:8'],
  ['{"notes":[{"body":"card 4111 1111 1111 1111","body":"x"}]}', '1:46'],
  ['{\n  "a": {"b": 1,\n  "b": 2}\n}', '3:3'],
  [String.raw`{"body":1,"\u0062ody":2}`, '1:11'],
  [String.raw`{"\/":1,"/":2}`, '1:9'],
  ['{"__proto__":1,"__proto__":2}', '1:16'],
  ['{"__proto__":{"x":1},"y":[{"constructor":{},"constructor":{}}]}', '1:45'],
  ['{"":1,"":2}', '1:7'],
  ['{"1":1,"1":2}', '1:8'],
  ['[[{"é":":","é":"{"}]]', '1:12'],
]

for (const [text, place] of repeated)
  test(`a key that its object has already is a fault at ${place}: ${text}`, (t) => {
    const read = jsonOf(encoder.encode(text))
    t.is(faultOf(text), place)
    t.like(read, { left: { _tag: 'NotJson', at: { isRepeatedKey: true } } })
  })

test('a key may stand in several objects, and colons and braces in texts are no keys', (t) => {
  for (const text of [
    '[{"a":1},{"a":{"a":[{"a":2}]}}]',
    '{"__proto__":{"__proto__":1},"toString":2,"2":0,"1":0}',
    String.raw`{"a:":"b:\":{\"a\":1,\"a\":1}","a":"\\"}`,
    '{"é":1,"e\u0301":2}',
    '"a:b"',
  ])
    t.is(faultOf(text), 'none', text)
})

const sample = String.raw`{"a":[1,-2.5e+3,true,false,null,"\u00e9\"\\/",{}],"b":{"c":"d"},"e":[] }`

test('a text has a place where it breaks exactly if it is no JSON, wherever a character is changed or left out', (t) => {
  const others = ['', '"', ',', '}', ']', '0', '\\', ' ', '\n', 'x']
  for (let at = 0; at < sample.length; at += 1)
    for (const other of others) {
      const text = sample.slice(0, at) + other + sample.slice(at + 1)
      let isJson = true
      try {
        JSON.parse(text)
      } catch {
        isJson = false
      }
      t.is(faultOf(text) === 'none', isJson, text)
      t.not(faultOf(text), 'NotJson', text)
    }
})
