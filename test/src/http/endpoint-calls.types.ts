import { E } from '@account-import/core/fp'
import type { endpoints } from '@account-import/http-contract'

const headers = {}
const note = { created_at: '2025-05-06T08:00:00Z', body: 'Hello', status: 'NOTE_ALREADY_EXISTS' } as const
const empty = { ...note, body: undefined }
const strange = { ...note, status: 'NOTE_LOST' } as const
const unknown = { status: 'UNKNOWN', platform_account_number: '', attempts: 0 } as const
const item = { external_account_number: 'A-1', platform_account_number: null, account_created_at: null }

async function* pages() {
  yield [item]
}

type CallOf<Name extends keyof typeof endpoints> = (typeof endpoints)[Name]['call']

/**
 * Compiled and never called: an endpoint takes the call that fits it, and no call that differs from that in one
 * thing. Each line that must not compile is an error of the build as soon as it does.
 */
export const onlyCallsThatFit = (): readonly unknown[] => {
  const addNotes = (call: CallOf<'addNotes'>) => call
  const processAccount = (call: CallOf<'processAccount'>) => call
  const transferStatus = (call: CallOf<'transferStatus'>) => call
  const allAccountImports = (call: CallOf<'allAccountImports'>) => call
  return [
    addNotes(async () => E.right({ status: 201, headers, body: [note] })),
    // @ts-expect-error -- 200 is no status of this endpoint
    addNotes(async () => E.right({ status: 200, headers, body: [note] })),
    // @ts-expect-error -- a field without a value
    addNotes(async () => E.right({ status: 201, headers, body: [empty] })),
    // @ts-expect-error -- a value that the field cannot have
    addNotes(async () => E.right({ status: 201, headers, body: [strange] })),
    // @ts-expect-error -- no body
    addNotes(async () => E.right({ status: 201, headers })),
    // @ts-expect-error -- the body of another endpoint
    processAccount(async () => E.right({ status: 201, headers, body: [note] })),

    addNotes(async () => E.left({ _tag: 'AccountNotFound' })),
    // @ts-expect-error -- a refusal that this endpoint is not documented with
    addNotes(async () => E.left({ _tag: 'NothingStaged' })),

    transferStatus(async (_, { params }) =>
      E.right({
        status: 200,
        headers,
        body: { ...unknown, platform_account_number: params.external_account_number },
      }),
    ),
    // @ts-expect-error -- a parameter that the path does not have
    transferStatus(async (_, { params: { account } }) =>
      E.right({ status: 200, headers, body: { ...unknown, platform_account_number: account } }),
    ),

    allAccountImports(async () => E.right({ status: 200, headers, pages: pages() })),
    // @ts-expect-error -- pages of another list
    addNotes(async () => E.right({ status: 201, headers, pages: pages() })),
    // @ts-expect-error -- pages, where the answer is no list
    processAccount(async () => E.right({ status: 201, headers, pages: pages() })),
  ]
}
