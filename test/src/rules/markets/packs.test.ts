import { spawnSync } from 'node:child_process'
import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import test, { type ExecutionContext } from 'ava'
import type * as Core from '@account-import/core'
import type * as Kit from '@account-import/core/adapter-kit'
import type * as Guides from '@account-import/core/guides'
import { catalogue, markets } from '@account-import/core'
import { root } from '../../support/repository.js'
import { tempFolder } from '../../support/temp-folder.js'

const core = 'packages/core'
const packs = 'src/rules/markets'

const run = (t: ExecutionContext, folder: string, ...args: readonly string[]): void => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  t.is(status, 0, stdout + stderr)
}

test('the lists of market packs are what the generator makes of the folders', (t) => {
  run(t, root, 'scripts/generate-markets.mjs', '--check')
  t.true(markets.includes('ES'))
})

const madeUpCodes = `import { changeableWarning, type CatalogueEntry } from '../../../catalogue/entry.js'
export const codes = {
  invalid_made_up_postcode: changeableWarning('This is not a postal code of this market. Correct it.'),
} satisfies Record<string, CatalogueEntry>
`

const madeUpGuides = `import type { Guides } from '../../../catalogue/guide.js'
export const guides = {
  invalid_made_up_postcode: {
    means: 'The postal code is none of this market.',
    causes: ['A digit is missing.'],
    fix: ['Copy it from a bill.'],
    at: ['billing_postcode'],
    example: { in: '', bad: { billing_postcode: '1' }, good: { billing_postcode: '1000-001' } },
    related: [],
  },
} satisfies Guides
`

const madeUpPack = `import type { MarketPack } from '../market-pack.js'
export const pack: MarketPack = {
  rules: [
    ({ billing_postcode }, report) => {
      if (billing_postcode === '1') report.add('invalid_made_up_postcode', undefined, 'billing_postcode')
    },
  ],
}
`

/** The core and what builds it, without anything built, in a folder of its own. */
const copyOfCore = async (t: ExecutionContext): Promise<string> => {
  const folder = await tempFolder(t)
  const parts = ['tsconfig.base.json', 'scripts/generate-markets.mjs']
  for (const part of [...parts, `${core}/package.json`, `${core}/tsconfig.json`, `${core}/src`])
    await cp(join(root, part), join(folder, part), { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

test('one more folder is a second market: its code is in the catalogue with its guide, its rule fires, its name can be set', async (t) => {
  const folder = await copyOfCore(t)
  // ISO 3166-1 leaves XX to whoever needs it, so no market of the product will have this folder.
  const market = join(folder, core, packs, 'xx')
  await mkdir(market)
  await writeFile(join(market, 'codes.ts'), madeUpCodes)
  await writeFile(join(market, 'guides.ts'), madeUpGuides)
  await writeFile(join(market, 'pack.ts'), madeUpPack)
  run(t, folder, 'scripts/generate-markets.mjs')
  run(t, folder, 'node_modules/typescript/bin/tsc', '-p', core)

  const built = (await import(pathToFileURL(join(folder, core, 'dist/index.js')).href)) as typeof Core
  const kit = (await import(pathToFileURL(join(folder, core, 'dist/adapter-kit.js')).href)) as typeof Kit
  t.true('invalid_made_up_postcode' in built.catalogue)
  const { guides } = (await import(
    pathToFileURL(join(folder, core, 'dist/guides/index.js')).href
  )) as typeof Guides
  t.true('invalid_made_up_postcode' in guides)
  t.deepEqual<readonly string[], readonly string[]>(built.markets, [...markets, 'XX'].sort())
  const payload = { import_supplier: 'S', external_account_number: 'A', customers: [], billing_postcode: '1' }
  const codesFor = (chosen: readonly string[]): readonly string[] => {
    const settings = { ...built.builtInSettings, markets: chosen as typeof markets }
    t.deepEqual(kit.settingsFaults(settings), [])
    const today = '2025-09-01' as Parameters<typeof kit.checkAccountPayload>[1]['today']
    const checked = kit.checkAccountPayload(payload, { settings, defaultCountry: 'ES', today })
    const { warnings } = checked._tag === 'Left' ? checked.left : checked.right
    return warnings.map(({ attr, code }) => `${attr} ${code}`)
  }
  t.deepEqual(codesFor(['ES', 'XX']), ['billing_postcode invalid_made_up_postcode'])
  t.deepEqual(codesFor(['ES']), [])
})

test('no code is given away twice between the markets and the parts of the catalogue', async (t) => {
  const built = join(root, core, 'dist')
  const parts = (await readdir(join(built, 'catalogue'))).filter((file) => file.endsWith('-codes.js'))
  const files = [
    ...parts.map((file) => join(built, 'catalogue', file)),
    ...markets.map((market) => join(built, 'rules/markets', market.toLowerCase(), 'codes.js')),
  ]
  const codes: string[] = []
  for (const file of files) {
    const exported = (await import(pathToFileURL(file).href)) as Record<string, object>
    codes.push(...Object.values(exported).flatMap((part) => Object.keys(part)))
  }
  t.deepEqual(codes.sort(), Object.keys(catalogue).sort())
})
