import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import test from 'ava'
import { lint, treeOf } from './boundary-linter.js'
import type { Snippet } from './boundary-snippets.js'
import { root, textOf } from '../support/repository.js'

type Floors = ReadonlyMap<string, readonly string[]>

/** What each folder of a package may import, as the table of ARCHITECTURE.md has it. */
const floorsOf = (name: string): Floors => {
  const [, table = ''] = textOf('ARCHITECTURE.md').split(`| Folder of ${name}`)
  const [lines = ''] = table.split('\n\n')
  return new Map(
    [...lines.matchAll(/^\| `([a-z-]+)` *\| *([a-z, -]*?) *\|$/gm)].map(([, floor = '', below = '']) => [
      floor,
      below === '' ? [] : below.split(', '),
    ]),
  )
}

const foldersIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)

/** A folder and all below it. */
const withInner = (folder: string): readonly string[] => [
  folder,
  ...foldersIn(folder).flatMap((inner) => withInner(join(folder, inner))),
]

type Arrow = Snippet & Readonly<{ mayBe: boolean }>

/** From every folder of a package to every other floor: once by a type, once by a value. */
const arrowsOf = (source: string, floors: Floors): readonly Arrow[] =>
  [...floors].flatMap(([floor, below]) =>
    withInner(join(source, floor)).flatMap((folder) =>
      [...floors.keys()]
        .filter((other) => other !== floor)
        .flatMap((other) => {
          const from = `${relative(folder, join(source, other))}/any.js`
          const mayBe = below.includes(other)
          return [
            {
              file: `${folder}/to-${other}-type.ts`,
              code: `import type { Any } from '${from}'\nexport type Own = Any`,
              mayBe,
            },
            { file: `${folder}/to-${other}-value.ts`, code: `export { any } from '${from}'`, mayBe },
          ]
        }),
    ),
  )

for (const name of ['core', 'server']) {
  const source = `packages/${name}/src`
  const floors = floorsOf(name)

  test(`ARCHITECTURE.md says of each folder of ${name} what it may import`, (t) => {
    t.deepEqual([...floors.keys()].toSorted(), foldersIn(source).toSorted())
  })

  test(`the linter lets a folder of ${name} import what its line in ARCHITECTURE.md names, and no other`, (t) => {
    const arrows = arrowsOf(source, floors)
    t.true(arrows.some(({ mayBe }) => mayBe))
    const { crossing } = lint(treeOf(t, arrows))
    const wrong = arrows.filter(({ file, mayBe }) => crossing.has(file) === mayBe)
    t.deepEqual(wrong, [])
  })

  test(`each folder of ${name} imports only such as stand above it in the table`, (t) => {
    const order = [...floors.keys()]
    const upward = [...floors].flatMap(([floor, below]) =>
      below.filter((other) => order.indexOf(other) >= order.indexOf(floor)).map((other) => [floor, other]),
    )
    t.deepEqual(upward, [])
  })
}
