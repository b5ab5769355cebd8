import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { circlesOf, type Circle } from './folder-circles.js'
import { importsBelow } from './imports.js'
import { root } from '../support/repository.js'
import { tempFolder } from '../support/temp-folder.js'

const circlesIn = async (
  t: ExecutionContext,
  files: Readonly<Record<string, string>>,
): Promise<readonly Circle[]> => {
  const folder = await tempFolder(t)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return circlesOf(importsBelow(folder, ['src']))
}

test('no folders and no files of packages, examples, benches and tests import each other in a circle', (t) => {
  const imports = importsBelow(root, ['packages', 'examples', 'bench', 'test'])
  t.true(imports.length > 1000)
  t.deepEqual(circlesOf(imports), [])
})

test('folders whose files import each other are a circle, though no file is in one', async (t) => {
  const circles = await circlesIn(t, {
    'src/a/one.ts': "import { x } from '../b/one.js'\nexport const y = x",
    'src/b/one.ts': 'export const x = 1',
    'src/b/two.ts': "import { z } from '../a/deep/two.js'\nexport const w = z",
    'src/a/deep/two.ts': 'export const z = 1',
  })
  t.deepEqual(circles, [{ folder: 'src', entries: ['a', 'b'] }])
})

for (const [way, text] of [
  ['a type import', "import type { X } from '../a/one.js'\nexport type Y = X"],
  ['a type among values', "import { type X, y } from '../a/one.js'\nexport const z: X = y"],
  ['an export of what another file has', "export * from '../a/one.js'"],
  ['an import at run time', "export const late = import('../a/one.js')"],
] as const) {
  test(`${way} closes a circle of three folders`, async (t) => {
    const circles = await circlesIn(t, {
      'src/a/one.ts': "import type { X } from '../b/one.js'\nexport type Y = X",
      'src/b/one.ts': "import type { X } from '../c/one.js'\nexport type Y = X",
      'src/c/one.ts': text,
    })
    t.deepEqual(circles, [{ folder: 'src', entries: ['a', 'b', 'c'] }])
  })
}

test('a file beside a folder is in a circle with it when both import each other', async (t) => {
  const circles = await circlesIn(t, {
    'src/part.ts': "import type { X } from './inner/one.js'\nexport type Y = X",
    'src/inner/one.ts': "import type { Y } from '../part.js'\nexport type X = Y",
  })
  t.deepEqual(circles, [{ folder: 'src', entries: ['inner', 'part.ts'] }])
})

test('a file and a folder of one name are not one entry', async (t) => {
  const circles = await circlesIn(t, {
    'src/part.ts': "import type { X } from './part/one.js'\nexport type Y = X",
    'src/part/one.ts': 'export type X = 1',
  })
  t.deepEqual(circles, [])
})

test('folders in an order are no circle', async (t) => {
  const circles = await circlesIn(t, {
    'src/a/one.ts': "import type { X } from '../b/one.js'\nexport type Y = X",
    'src/a/two.ts': "import type { X } from '../c/one.js'\nexport type Y = X",
    'src/b/one.ts': "import type { X } from '../c/one.js'\nexport type Y = X",
    'src/c/one.ts': 'export type X = 1',
  })
  t.deepEqual(circles, [])
})
