import { instantOf, type AccessTokenClaims } from '@account-import/core'
import type { PlainCall } from './plain-call.js'
import { organisation, processGas } from './service.js'

const team = processGas.operations_team_name
const someClaims: AccessTokenClaims = {
  apiKeyId: 'nobody',
  organisation,
  scopes: [],
  family: 'none',
  issuedAt: instantOf(0),
  expiresAt: instantOf(0),
}

/** Use cases about who may do what. */
export const accessCalls = {
  'operator.disableOrganisation': {
    succeeds: ({ plain }) => plain.operator.disableOrganisation(organisation),
    refused: ['DoesNotExist', ({ plain }) => plain.operator.disableOrganisation('NOBODY')],
  },
  'operator.enableOrganisation': {
    given: ({ plain }) => plain.operator.disableOrganisation(organisation),
    succeeds: ({ plain }) => plain.operator.enableOrganisation(organisation),
    refused: ['DoesNotExist', ({ plain }) => plain.operator.enableOrganisation('NOBODY')],
  },
  'operator.revokeOrganisation': {
    succeeds: ({ plain }) => plain.operator.revokeOrganisation(organisation),
    refused: ['DoesNotExist', ({ plain }) => plain.operator.revokeOrganisation('NOBODY')],
  },
  'operator.bindTeam': {
    succeeds: ({ plain }) => plain.operator.bindTeam({ name: team, organisation }),
    refused: ['DoesNotExist', ({ plain }) => plain.operator.bindTeam({ name: 'Nobody', organisation })],
  },
  'operator.unbindTeam': {
    given: ({ plain }) => plain.operator.bindTeam({ name: team, organisation }),
    succeeds: ({ plain }) => plain.operator.unbindTeam({ name: team, organisation }),
    refused: ['DoesNotExist', ({ plain }) => plain.operator.unbindTeam({ name: 'Nobody', organisation })],
  },
  'operator.rotateApiKey': {
    succeeds: ({ plain, apiKeyId }) => plain.operator.rotateApiKey({ id: apiKeyId }),
    refused: ['DoesNotExist', ({ plain }) => plain.operator.rotateApiKey({ id: 'nobody' })],
  },
  reauthenticate: {
    succeeds: ({ plain, apiKeyId }) => plain.reauthenticate({ ...someClaims, apiKeyId }),
    refused: ['AuthenticationFailed', ({ plain }) => plain.reauthenticate(someClaims)],
  },
  noteKeyUses: {
    succeeds: async ({ plain, token }) => {
      const known = await plain.authenticate(token)
      return known.ok ? plain.noteKeyUses() : known
    },
  },
  authenticate: {
    succeeds: ({ plain, token }) => plain.authenticate(token),
    refused: ['AuthenticationFailed', ({ plain }) => plain.authenticate('guessed')],
  },
  obtainToken: {
    succeeds: ({ plain, apiKey }) => plain.obtainToken({ credentials: { apiKey }, address: 'here' }),
    refused: [
      'AuthenticationFailed',
      ({ plain }) => plain.obtainToken({ credentials: { apiKey: 'guessed' }, address: 'here' }),
    ],
  },
  'operator.createApiKey': {
    succeeds: ({ plain }) => plain.operator.createApiKey({ organisation }),
    refused: ['DoesNotExist', ({ plain }) => plain.operator.createApiKey({ organisation: 'NOBODY' })],
  },
  'operator.listApiKeys': { succeeds: ({ plain }) => plain.operator.listApiKeys() },
  'operator.revokeApiKey': {
    succeeds: ({ plain, apiKeyId }) => plain.operator.revokeApiKey(apiKeyId),
    refused: ['DoesNotExist', ({ plain }) => plain.operator.revokeApiKey('nobody')],
  },
  'operator.createOrganisation': {
    succeeds: ({ plain }) => plain.operator.createOrganisation({ code: 'OTHER' }),
    done: 'AlreadyExists',
    refused: ['AlreadyExists', ({ plain }) => plain.operator.createOrganisation({ code: organisation })],
  },
  'operator.listOrganisations': { succeeds: ({ plain }) => plain.operator.listOrganisations() },
  'operator.createTeam': {
    succeeds: ({ plain }) => plain.operator.createTeam('North'),
    done: 'AlreadyExists',
    refused: ['AlreadyExists', ({ plain }) => plain.operator.createTeam(processGas.operations_team_name)],
  },
  'operator.listTeams': { succeeds: ({ plain }) => plain.operator.listTeams() },
} satisfies Readonly<Record<string, PlainCall>>
