import type { AddedNotes } from '@account-import/http-contract'
import { toWireDatetime } from '@account-import/core/adapter-kit'
import { additionTo, createdAccount, storedDetails } from '../../support/additions.js'
import type { Journey } from '../../support/journey.js'
import { failureOf, inShort, successOf } from '../../../support/results.js'
import { gasAccount, type JsonObject } from '../../../support/samples.js'
import type { World } from '../../support/world.js'

const created = 'NOTE_CREATION_SUCCESS'
const exists = 'NOTE_ALREADY_EXISTS'

const send = async ({ client, supplier }: World, notes: readonly JsonObject[]): Promise<AddedNotes> =>
  successOf(await client.addNotes({ import_supplier: supplier, external_account_number: 'A-1', notes })).body

const statuses = (added: AddedNotes): readonly string[] => added.map(({ status }) => status)

const storedNotes = async (world: World) => (await storedDetails(world)).notes

const sampleTwice: Journey = {
  title: 'the sample notes are added once, with pins and documents, and the second time exist already',
  run: async (t, open) => {
    const world = await open()
    const { client, supplier, clock } = world
    await createdAccount(world)
    const before = await storedNotes(world)
    const request = additionTo('notes.json', supplier, 'A-1')
    const earliest = toWireDatetime(clock.now())
    const first = successOf(await client.addNotes(request))
    const now = first.body[2]?.created_at ?? ''
    t.true(earliest <= now && now <= toWireDatetime(clock.now()), now)
    t.deepEqual([first.status, first.warningsTotal], [201, 0])
    t.deepEqual(first.body, [
      { created_at: '2025-05-06T08:00:00Z', body: 'Solicita factura en papel.', status: created },
      { created_at: '2025-05-06T08:05:00Z', body: 'Aviso: perro en el patio.', status: created },
      { created_at: now, body: '', status: created },
      { created_at: now, body: 'Reclamación cerrada; se adjunta la respuesta.', status: created },
    ])
    const stored = await storedNotes(world)
    t.deepEqual(stored.slice(0, before.length), before)
    t.deepEqual<unknown, unknown>(stored.slice(before.length + 1, before.length + 3), [
      {
        body: 'Aviso: perro en el patio.',
        document_paths: [],
        created_at: '2025-05-06T08:05:00.000Z',
        is_pinned: true,
        unpin_at: '2025-08-06T08:05:00.000Z',
      },
      {
        document_paths: [{ document_path: 'notes/LEV-G-000123/foto-contador.pdf' }],
        created_at: now.replace('Z', '.000Z'),
        is_pinned: false,
      },
    ])
    clock.advance(100)
    const second = successOf(await client.addNotes(request))
    t.deepEqual(
      second.body,
      first.body.map((note) => ({ ...note, status: exists })),
    )
    t.deepEqual(await storedNotes(world), stored)
  },
}

const sameNotes: Journey = {
  title: 'a note is the same by its body, and its time if given; without a body by its documents',
  run: async (t, open) => {
    const world = await open()
    await createdAccount(world)
    const timed = (body: string, second: number) => ({ body, created_at: `2025-05-06T08:00:0${second}Z` })
    t.deepEqual(statuses(await send(world, [timed('a', 1), timed('a', 2), timed('a', 1)])), [
      created,
      created,
      exists,
    ])
    t.deepEqual(statuses(await send(world, [{ body: 'a' }, { body: 'A' }, { body: 'a ' }, { body: 'A' }])), [
      exists,
      created,
      created,
      exists,
    ])
    const [added] = await send(world, [{ body: 'b' }])
    world.clock.advance(10)
    t.deepEqual(await send(world, [{ body: 'b', created_at: added?.created_at }, { body: 'b' }]), [
      { body: 'b', created_at: added?.created_at, status: exists },
      { body: 'b', created_at: added?.created_at, status: exists },
    ])
    t.deepEqual(statuses(await send(world, [timed('b', 1)])), [created])
    const files = (...paths: readonly string[]) => ({
      document_paths: paths.map((document_path) => ({ document_path })),
    })
    const documents = [files('x', 'y'), files('y', 'x'), { body: ' ', ...files('x', 'y') }, files('x')]
    t.deepEqual(statuses(await send(world, documents)), [created, created, exists, created])
    t.deepEqual(statuses(await send(world, [{ body: 'c', ...files('x') }, { body: 'c' }])), [created, exists])
  },
}

const ofThePayload: Journey = {
  title: 'notes that the account was created with count too',
  run: async (t, open) => {
    const world = await open()
    const { client, supplier, process } = world
    const notes = [{ body: 'twice' }, { body: 'twice' }, { body: 'old', created_at: '2024-01-01T00:00:00Z' }]
    await client.stageAccount({ ...gasAccount(supplier, 'A-1'), notes } as JsonObject)
    t.is(inShort(await process('A-1')), '201')
    t.is((await storedNotes(world)).length, 3, 'a repeat in the payload is kept')
    const sent = [{ body: 'twice' }, { body: 'old' }, { body: 'old', created_at: '2024-01-01T00:00:00Z' }]
    t.deepEqual(statuses(await send(world, sent)), [exists, exists, exists])
    t.deepEqual(statuses(await send(world, [{ body: 'old', created_at: '2024-01-02T00:00:00Z' }])), [created])
  },
}

const empty: Journey = {
  title: 'an empty list adds nothing and answers one, and a body of the longest length comes through',
  run: async (t, open) => {
    const world = await open()
    await createdAccount(world)
    t.deepEqual(await send(world, []), [])
    const body = 'é'.repeat(32_768)
    const [added] = await send(world, [{ body }])
    t.deepEqual([added?.body, added?.status], [body, created])
    t.deepEqual(statuses(await send(world, [{ body }])), [exists])
    t.is((await storedNotes(world)).at(-1)?.body, body)
  },
}

const faults: Journey = {
  title:
    'faults of notes are entries in document order, warnings are headers, and nothing is stored with an error',
  run: async (t, open) => {
    const world = await open()
    const { client, supplier } = world
    await createdAccount(world)
    const before = await storedNotes(world)
    const request = { import_supplier: supplier, external_account_number: 'A-1' }
    const { problem } = failureOf(
      await client.addNotes({
        ...request,
        notes: [
          { body: 'good' },
          { body: ' ' },
          { document_paths: [{ document_path: '../x' }] },
          { body: 'x', created_at: '2025-05-06T08:00:00Z', unpin_at: '2025-05-06T07:59:59Z' },
        ],
      }),
    )
    t.is(problem.code, 'request_failed_validation')
    t.deepEqual(
      problem.errors.map(({ attr, code }) => `${attr} ${code}`),
      [
        'notes.1 note_body_or_document_path_not_found',
        'notes.2.document_paths.0.document_path document_path_outside_root',
        'notes.3.unpin_at note_unpin_at_earlier_than_creation_date',
      ],
    )
    t.deepEqual(await storedNotes(world), before)
    const warned = successOf(
      await client.addNotes({
        ...request,
        notes: [{ body: 'x', created_at: '2999-05-06T08:00:00Z', colour: 'red' }],
      } as JsonObject),
    )
    t.deepEqual(warned.warnings, [
      { attr: 'notes.0.created_at', code: 'date_in_future' },
      { attr: 'notes.0.colour', code: 'unknown_field' },
    ])
    t.is(warned.status, 201)
  },
}

/** POST notes/create, through the client. */
export const noteJourneys: readonly Journey[] = [sampleTwice, sameNotes, ofThePayload, empty, faults]
