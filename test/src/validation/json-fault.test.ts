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
