// Writes what is installed elsewhere into a folder, `release` unless another is named. docs/how-to/install.md says how to use it. The
// packages have to be built: npm run release does that first.
import { resolve } from 'node:path'
import { writeRelease } from './release/write-release.mjs'

const folder = resolve(process.argv[2] ?? 'release')
console.log(`${writeRelease(folder).sums}in ${folder}`)
