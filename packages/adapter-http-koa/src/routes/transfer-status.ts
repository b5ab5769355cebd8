import type { UseCases } from '@account-import/core'
import { pipe, TE } from '@account-import/core'
import { transferStatusAnswer } from '@account-import/http-contract'
import { jsonReply } from '../answers.js'
import type { Route } from '../mount.js'

type Params = Readonly<{ import_supplier_code: string; external_account_number: string }>

export const transferStatusRoute =
  ({ transferStatus }: Pick<UseCases, 'transferStatus'>): Route<Params, unknown> =>
  ({ identity, params }) =>
    pipe(
      transferStatus({
        organisation: identity.organisation,
        importSupplier: params.import_supplier_code,
        externalAccountNumber: params.external_account_number,
      }),
      TE.map((status) => jsonReply(transferStatusAnswer(status))),
    )
