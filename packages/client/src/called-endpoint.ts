import type { Endpoint, Refusal } from '@account-import/http-contract'

/** An endpoint, as far as calling it goes; what it takes is checked by the service. */
export type CalledEndpoint<Success> = Endpoint<unknown, unknown, unknown, Success, number, Refusal['_tag']>
