// Writes the release into a folder, by default `release`. docs/how-to/install.md describes how to install it. The packages must
// be built: npm run release builds them first.
import { resolve } from 'node:path'
import { writeRelease } from './release/write-release.mjs'

const folder = resolve(process.argv[2] ?? 'release')
console.log(`${writeRelease(folder).sums}in ${folder}`)
