import test from 'ava'
import type { UseCases } from '@account-import/core'
import { pipe, TE, type TaskEither } from '@account-import/core/adapter-kit'
import { left, organisation, processGas, service } from './support/service.js'

type Operator = UseCases['operator']

const doesNotExist = (subject: string, name: string) => ({ _tag: 'DoesNotExist', subject, name })
const alreadyExists = (subject: string, name: string) => ({ _tag: 'AlreadyExists', subject, name })
const unknownPair = { importSupplier: 'NOBODY', externalAccountNumber: 'A' }

const refusals: readonly (readonly [
  why: string,
  call: (operator: Operator) => TaskEither<unknown, unknown>,
  refusal: object,
])[] = [
  [
    'an organisation whose code is taken',
    (operator) => operator.createOrganisation({ code: organisation }),
    alreadyExists('organisation', organisation),
  ],
  [
    'a supplier whose code is taken',
    (operator) => operator.createSupplier({ code: 'LEVANTE', organisation }),
    alreadyExists('import supplier', 'LEVANTE'),
  ],
  [
    'a supplier of nobody',
    (operator) => operator.createSupplier({ code: 'NEW', organisation: 'NOBODY' }),
    doesNotExist('organisation', 'NOBODY'),
  ],
  [
    'a team whose name is taken',
    (operator) => operator.createTeam(processGas.operations_team_name),
    alreadyExists('operations team', processGas.operations_team_name),
  ],
  [
    'a team that is not there, to be bound',
    (operator) => operator.bindTeam({ name: 'Nobody', organisation }),
    doesNotExist('operations team', 'Nobody'),
  ],
  [
    'a team to be bound to nobody',
    (operator) => operator.bindTeam({ name: processGas.operations_team_name, organisation: 'NOBODY' }),
    doesNotExist('organisation', 'NOBODY'),
  ],
  [
    'a team that is not there, to be unbound',
    (operator) => operator.unbindTeam({ name: 'Nobody', organisation }),
    doesNotExist('operations team', 'Nobody'),
  ],
  ...(['disableOrganisation', 'enableOrganisation', 'revokeOrganisation'] as const).map(
    (name) =>
      [
        `nobody, for ${name}`,
        (operator: Operator) => operator[name]('NOBODY'),
        doesNotExist('organisation', 'NOBODY'),
      ] as const,
  ),
  [
    'a key that is not there, to be replaced',
    (operator) => operator.rotateApiKey({ id: 'nobody' }),
    doesNotExist('API key', 'nobody'),
  ],
  [
    'a key of nobody',
    (operator) => operator.createApiKey({ organisation: 'NOBODY' }),
    doesNotExist('organisation', 'NOBODY'),
  ],
  ['the end of no key', (operator) => operator.revokeApiKey('none'), doesNotExist('API key', 'none')],
  [
    'to show no supplier',
    (operator) => operator.showSupplier('NOBODY'),
    doesNotExist('import supplier', 'NOBODY'),
  ],
  [
    'to pause no supplier',
    (operator) => operator.setSupplierStatus({ code: 'NOBODY', status: 'paused' }),
    doesNotExist('import supplier', 'NOBODY'),
  ],
  [
    'to configure no supplier',
    (operator) => operator.configureSupplier({ code: 'NOBODY', change: (settings) => settings }),
    doesNotExist('import supplier', 'NOBODY'),
  ],
  [
    'to skip an account of no supplier',
    (operator) => operator.setSkipped({ ...unknownPair, skipped: true }),
    doesNotExist('import supplier', 'NOBODY'),
  ],
  [
    'to show an account that was not created',
    (operator) => operator.showAccount({ importSupplier: 'LEVANTE', externalAccountNumber: 'A' }),
    doesNotExist('account', 'A'),
  ],
  [
    'documents of no supplier',
    (operator) => operator.missingDocuments('NOBODY'),
    doesNotExist('import supplier', 'NOBODY'),
  ],
  [
    'e-mails of no supplier',
    (operator) => operator.listEmails({ importSupplier: 'NOBODY', list: undefined }),
    doesNotExist('import supplier', 'NOBODY'),
  ],
  [
    'documents of another organisation',
    (operator) =>
      pipe(
        operator.createOrganisation({ code: 'BETA' }),
        TE.flatMap(() =>
          operator.createSupplier({ code: 'NEW', organisation: 'BETA', documentRoot: organisation }),
        ),
      ),
    {
      _tag: 'DocumentRootTaken',
      documentRoot: organisation,
      importSupplier: 'LEVANTE',
      otherRoot: `${organisation}/LEVANTE`,
    },
  ],
  ['no e-mail', (operator) => operator.retryEmail('none'), doesNotExist('e-mail', 'none')],
]
for (const [why, call, refusal] of refusals)
  test(`an operator is refused ${why}, and told what is there or is not`, async (t) => {
    const { useCases } = await service()
    t.deepEqual<unknown, unknown>(await left(call(useCases.operator)), refusal)
  })

const invalid: readonly (readonly [
  why: string,
  call: (operator: Operator) => TaskEither<unknown, unknown>,
  errors: readonly string[],
])[] = [
  [
    'an organisation',
    (operator) => operator.createOrganisation({ code: '', name: 'n'.repeat(256) }),
    ['code', 'name'],
  ],
  [
    'a supplier',
    (operator) =>
      operator.createSupplier({
        code: '',
        organisation: '',
        status: 'gone' as 'ongoing',
        documentRoot: '/../a',
      }),
    ['code', 'organisation', 'status', 'documentRoot'],
  ],
  [
    'a status',
    (operator) => operator.setSupplierStatus({ code: 'LEVANTE', status: 'gone' as 'paused' }),
    ['status'],
  ],
  [
    'a supplier whose code can be no folder, and that has no other root',
    (operator) => operator.createSupplier({ code: '..', organisation }),
    ['documentRoot'],
  ],
  ['the name of a key', (operator) => operator.createApiKey({ organisation, name: '' }), ['name']],
  ['a team', (operator) => operator.createTeam(''), ['name']],
  [
    'the name of an account',
    (operator) => operator.showAccount({ importSupplier: '', externalAccountNumber: '' }),
    ['importSupplier', 'externalAccountNumber'],
  ],
]
for (const [why, call, attributes] of invalid)
  test(`all that is wrong with ${why} is told at once`, async (t) => {
    const { useCases } = await service()
    const refused = (await left(call(useCases.operator))) as {
      _tag: string
      errors: readonly { attr: string }[]
    }
    t.is(refused._tag, 'InputNotValid')
    t.deepEqual(
      refused.errors.map(({ attr }) => attr),
      attributes,
    )
  })
