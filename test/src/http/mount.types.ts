import { mount } from '@account-import/adapter-http-koa/testing'
import { TE } from '@account-import/core/adapter-kit'
import { endpoints } from '@account-import/http-contract'

type Api = Parameters<typeof mount>[0]

const headers = {}
const note = { created_at: '2025-05-06T08:00:00Z', body: 'Hello', status: 'NOTE_ALREADY_EXISTS' } as const
const empty = { ...note, body: undefined }
const strange = { ...note, status: 'NOTE_LOST' } as const
const unknown = { status: 'UNKNOWN', platform_account_number: '', attempts: 0 } as const
const item = { external_account_number: 'A-1', platform_account_number: null, account_created_at: null }

async function* pages() {
  yield [item]
}

/**
 * Compiled and never called: an endpoint takes the route that fits it, and no route that differs from that in one
 * thing. Each line that must not compile is an error of the build as soon as it does.
 */
export const onlyRoutesThatFitAreMounted = (api: Api): void => {
  const { addNotes, processAccount, transferStatus, allAccountImports } = endpoints

  mount(api, addNotes, () => TE.right({ status: 201, headers, body: [note] }))
  // @ts-expect-error -- 200 is no status of this endpoint
  mount(api, addNotes, () => TE.right({ status: 200, headers, body: [note] }))
  // @ts-expect-error -- a field without a value
  mount(api, addNotes, () => TE.right({ status: 201, headers, body: [empty] }))
  // @ts-expect-error -- a value that the field cannot have
  mount(api, addNotes, () => TE.right({ status: 201, headers, body: [strange] }))
  // @ts-expect-error -- no body
  mount(api, addNotes, () => TE.right({ status: 201, headers }))
  // @ts-expect-error -- the body of another endpoint
  mount(api, processAccount, () => TE.right({ status: 201, headers, body: [note] }))

  mount(api, addNotes, () => TE.left({ _tag: 'AccountNotFound' }))
  // @ts-expect-error -- a refusal that this endpoint is not documented with
  mount(api, addNotes, () => TE.left({ _tag: 'NothingStaged' }))

  mount(api, transferStatus, ({ params }) =>
    TE.right({
      status: 200,
      headers,
      body: { ...unknown, platform_account_number: params.external_account_number },
    }),
  )
  // @ts-expect-error -- a parameter that the path does not have
  mount(api, transferStatus, ({ params: { account } }) =>
    TE.right({ status: 200, headers, body: { ...unknown, platform_account_number: account } }),
  )

  mount(api, allAccountImports, () => TE.right({ status: 200, headers, pages: pages() }))
  // @ts-expect-error -- pages of another list
  mount(api, addNotes, () => TE.right({ status: 201, headers, pages: pages() }))
  // @ts-expect-error -- pages, where the answer is no list
  mount(api, processAccount, () => TE.right({ status: 201, headers, pages: pages() }))
}
