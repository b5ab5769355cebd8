import test from 'ava'
import { noteContent } from '@account-import/core/adapter-kit'
import { sample } from './support/samples.js'
import {
  gasKey,
  organisation,
  processing,
  right,
  service,
  settableClock,
  staging,
} from './support/service.js'

test('a note repeats one of its body, or without a body of its documents; of its time too, where it gives one', async (t) => {
  const { ports, useCases } = await service({ clock: settableClock() })
  await right(staging(useCases, { notes: [] }))
  await right(processing(useCases))
  const documents = (...paths: readonly string[]) => ({
    document_paths: paths.map((document_path) => ({ document_path })),
  })
  const at = '2024-01-01T00:00:00Z'
  const sent: readonly (readonly [note: object, isNew: boolean])[] = [
    [{ body: 'A' }, true],
    [{ body: 'A' }, false],
    [{ body: 'A', ...documents('a') }, false],
    [{ body: 'a' }, true],
    [documents('a'), true],
    [{ body: ' ', ...documents('a') }, false],
    [documents('a', 'b'), true],
    [{ body: 'A', created_at: at }, true],
    [{ body: 'A', created_at: at }, false],
    [{ body: 'A' }, false],
  ]
  const payload = { ...sample('notes'), notes: sent.map(([note]) => note) }
  const { notes } = await right(useCases.addNotes({ organisation, payload }))
  t.deepEqual(
    notes.map(({ status }) => status === 'NOTE_CREATION_SUCCESS'),
    sent.map(([, isNew]) => isNew),
  )
  t.deepEqual([notes[0]?.body, notes[4]?.body, notes[5]?.body], ['A', '', ' '])
  t.is<string | undefined, string>(notes.at(-2)?.created_at, '2024-01-01T00:00:00.000Z')
  t.is((await right(ports.accounts.find(gasKey)))?.details.notes.length, 5)
  t.is(noteContent({}), noteContent({ body: ' ', document_paths: [] }))
})
