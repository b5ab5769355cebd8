import { deepEqual, rejects } from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test, type TestContext } from 'node:test'
import type { Documents, PortFailure } from '@account-import/core'
import { documentsCases } from '@account-import/core/contract-tests'
import { openDocumentRegister } from './document-register.js'

const folder = await mkdtemp(join(tmpdir(), 'document-register-'))
const shared = await openDocumentRegister(join(folder, 'shared.jsonl'))
after(async () => {
  await shared.close()
  await rm(folder, { recursive: true })
})

for (const { port, title, run } of documentsCases)
  void test(`${port}: ${title}`, () =>
    run({ documents: shared.documents, store: (key) => shared.change({ added: [key] }) }))

/** The path of a register of the test's own. */
const pathOf = ({ name }: TestContext): string => join(folder, `${name}.jsonl`)

/** Those of the keys that exist, or the kind of the failure. */
const existing = async (
  documents: Documents,
  ...keys: readonly string[]
): Promise<readonly string[] | PortFailure['kind']> => {
  const answer = await documents.existing(keys, 'ACME')
  return answer._tag === 'Right' ? [...answer.right] : answer.left.kind
}

void test('a change is there after a restart, and a removed document is not', async (t) => {
  const before = await openDocumentRegister(pathOf(t))
  await before.change({ added: ['l/a.pdf', 'l/Ñ\u2028.pdf', 'l/gone.pdf'] })
  await before.change({ removed: ['l/gone.pdf'] })
  await before.close()
  const again = await openDocumentRegister(pathOf(t))
  t.after(() => again.close())
  deepEqual(await existing(again.documents, 'l/a.pdf', 'l/gone.pdf', 'l/Ñ\u2028.pdf'), [
    'l/a.pdf',
    'l/Ñ\u2028.pdf',
  ])
})

void test('long changes at the same time are stored one after the other', async (t) => {
  const changes = ['l', 'm', 'n'].map((root) =>
    Array.from({ length: 10_000 }, (_, index) => `${root}/${String(index).padStart(100, '0')}.pdf`),
  )
  const before = await openDocumentRegister(pathOf(t))
  await Promise.all(changes.map((added) => before.change({ added })))
  await before.close()
  const again = await openDocumentRegister(pathOf(t))
  t.after(() => again.close())
  deepEqual(await existing(again.documents, ...changes.flat()), changes.flat())
})

void test('a line that a crash cut off has no effect, and later changes are stored', async (t) => {
  const lines = '{"added":["l/a.pdf"]}\n{"added":["l/cut.pdf"]}'
  for (const cut of [1, 12, lines.length - 22]) {
    await writeFile(pathOf(t), lines.slice(0, 22 + cut))
    const restored = await openDocumentRegister(pathOf(t))
    deepEqual(await existing(restored.documents, 'l/a.pdf', 'l/cut.pdf'), ['l/a.pdf'])
    await restored.change({ added: ['l/b.pdf'] })
    await restored.close()
    deepEqual(await readFile(pathOf(t), 'utf8'), '{"added":["l/a.pdf"]}\n{"added":["l/b.pdf"]}\n')
  }
})

void test('a damaged line is an error with its number, and the file stays unchanged', async (t) => {
  for (const damaged of ['{"added":["l/b', '{"added":7}', 'null']) {
    const text = `{"added":["l/a.pdf"]}\n${damaged}\n{"added":["l/c.pdf"]}\n`
    await writeFile(pathOf(t), text)
    await rejects(openDocumentRegister(pathOf(t)), /^Error: line 2 of the register is damaged/)
    deepEqual(await readFile(pathOf(t), 'utf8'), text)
  }
})

void test('a change with a key that no document can have stores none of its keys', async (t) => {
  const register = await openDocumentRegister(pathOf(t))
  t.after(() => register.close())
  await rejects(register.change({ added: ['l/a.pdf', '../x'] }), TypeError)
  deepEqual(await existing(register.documents, 'l/a.pdf', '../x'), [])
  await register.change({ added: ['l/a.pdf'] })
  deepEqual(await existing(register.documents, 'l/a.pdf', '../x'), ['l/a.pdf'])
})

void test('a closed register is unavailable and takes no change', async (t) => {
  const register = await openDocumentRegister(pathOf(t))
  const changes = [register.change({ added: ['l/a.pdf'] }), register.change({ added: ['l/b.pdf'] })]
  await register.close()
  await Promise.all(changes)
  deepEqual(await existing(register.documents, 'l/a.pdf'), 'unavailable')
  const ready = await register.documents.ready()
  deepEqual(ready._tag === 'Left' && [ready.left.port, ready.left.operation, ready.left.kind], [
    'documents',
    'ready',
    'unavailable',
  ])
  await rejects(register.change({ added: ['l/c.pdf'] }), /closed/)
  deepEqual(await readFile(pathOf(t), 'utf8'), '{"added":["l/a.pdf"]}\n{"added":["l/b.pdf"]}\n')
})
