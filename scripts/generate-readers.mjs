// Writes the quick readers in packages/core/src/payloads/quick from the codec of accounts, a file for each kind of
// object. With --check it writes nothing and fails when a committed reader is not what it would write. Works on the
// built core, of which it uses the codecs, never the readers themselves.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { accountPayload } from '../packages/core/dist/payloads/account.js'
import { partOf } from '../packages/core/dist/codec/quick/part-of.js'
import { readerOf } from './readers/reader.mjs'

const folder = new URL('../packages/core/src/payloads/quick/', import.meta.url)

/** Every kind of object below a part, by its name. */
const structsOf = (part, structs = new Map()) => {
  if (part.way === 'struct') {
    const known = structs.get(part.codec.name)
    if (known !== undefined && known !== part)
      throw new Error(`Two kinds of object are named ${part.codec.name}`)
    structs.set(part.codec.name, part)
  }
  for (const child of part.parts) structsOf(child, structs)
  return structs
}

const files = new Map([...structsOf(partOf(accountPayload)).values()].map(readerOf))
const checkOnly = process.argv.includes('--check')

mkdirSync(folder, { recursive: true })
for (const file of readdirSync(folder)) {
  if (files.has(file)) continue
  if (checkOnly) {
    console.error(`${file} of the quick readers is of no codec any more. Run: npm run docs:generate`)
    process.exitCode = 1
  } else rmSync(new URL(file, folder))
}
for (const [file, text] of files) {
  const target = new URL(file, folder)
  if (!checkOnly) writeFileSync(target, text)
  else if (!readdirSync(folder).includes(file) || readFileSync(target, 'utf8') !== text) {
    console.error(`${file} of the quick readers is out of date. Run: npm run docs:generate`)
    process.exitCode = 1
  }
}
