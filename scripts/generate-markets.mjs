// Writes the lists of market packs in packages/core/src/rules/markets from the folders there, one a market. With
// --check it writes nothing and fails when a committed list is not what it would write. Uses Node's own modules
// only, because it runs before anything is compiled.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

const folder = new URL('../packages/core/src/rules/markets/', import.meta.url)
const notice = '// Written by `npm run docs:generate` from the folders beside it.'

const folders = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort()
const misnamed = folders.filter((name) => !/^[a-z]{2}$/.test(name))
if (misnamed.length > 0)
  throw new Error(`A market is named by its country code in lower case, not: ${misnamed.join(', ')}`)

const lineWidth = 110

/** In one line where it fits, else one member a line, as the formatter has it. */
const arrayOf = (before, members, after) => {
  const line = `${before}[${members.join(', ')}]${after}`
  return line.length <= lineWidth
    ? line
    : `${before}[\n${members.map((member) => `  ${member},\n`).join('')}]${after}`
}

const lines = (line) => folders.map(line).join('\n')
const quoted = folders.map((name) => `'${name.toUpperCase()}'`)

const files = {
  'markets.ts': `
/** The markets that a pack is bundled for, by their ISO 3166-1 country codes. */
${arrayOf('export const markets = ', quoted, ' as const')}

export type Market = (typeof markets)[number]`,
  'packs.ts': `import type { MarketPack } from './market-pack.js'
import type { Market } from './markets.js'
${lines((name) => `import { pack as ${name}Pack } from './${name}/pack.js'`)}

/** Every bundled market pack by its market. */
export const marketPacks: Readonly<Record<Market, MarketPack>> = {
${lines((name) => `  ${name.toUpperCase()}: ${name}Pack,`)}
}`,
  'codes.ts': `${lines((name) => `import { codes as ${name}Codes } from './${name}/codes.js'`)}

/** The codes of all market packs. */
export const marketCodes = {
${lines((name) => `  ...${name}Codes,`)}
}`,
  'guides.ts': `${lines((name) => `import { guides as ${name}Guides } from './${name}/guides.js'`)}

/** The guides to the codes of all market packs. */
export const marketGuides = {
${lines((name) => `  ...${name}Guides,`)}
}`,
}

const checkOnly = process.argv.includes('--check')
for (const [file, content] of Object.entries(files)) {
  const text = `${notice}\n${content}\n`
  const target = new URL(file, folder)
  if (!checkOnly) writeFileSync(target, text)
  else if (readFileSync(target, 'utf8') !== text) {
    console.error(`${file} of the market packs is out of date. Run: npm run docs:generate`)
    process.exitCode = 1
  }
}
