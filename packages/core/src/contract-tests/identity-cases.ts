import type { StorePorts } from '../ports/index.js'
import type { Instant } from '../values/instant.js'
import { after, anApiKey, freshCode, freshSupplier } from './builders.js'
import { casesOf, type ContractCase, equal, right } from './contract-case.js'

const freshOrganisation = async (ports: StorePorts): Promise<string> =>
  (await freshSupplier(ports)).organisation

const freshTeam = async ({ operationsTeams }: StorePorts): Promise<string> => {
  const name = freshCode('team')
  await right(operationsTeams.create(name))
  return name
}

const isOpenTo = ({ operationsTeams }: StorePorts, team: string, organisations: readonly string[]) =>
  Promise.all(organisations.map((organisation) => right(operationsTeams.exists(team, organisation))))

/** Disabling organisations; rotating, revoking and using keys; binding teams. */
export const identityCases: readonly ContractCase<StorePorts>[] = [
  ...casesOf<StorePorts>('Organisations', {
    'a disabled organisation keeps its first time, its keys are found as disabled, and no other organisation changes':
      async (ports) => {
        const [code, other] = [await freshOrganisation(ports), await freshOrganisation(ports)]
        const keys = [anApiKey(code), anApiKey(other)]
        for (const key of keys) await right(ports.apiKeys.create(key))
        const disabled = () =>
          Promise.all(
            keys.map(async ({ id }) => (await right(ports.apiKeys.find(id)))?.isOrganisationDisabled),
          )
        for (const at of [after(5), after(9)]) equal(await right(ports.organisations.disable(code, at)), true)
        equal((await right(ports.organisations.find(code)))?.disabledAt, after(5))
        equal(await disabled(), [true, false])
        for (let time = 0; time < 2; time++) equal(await right(ports.organisations.enable(code)), true)
        equal((await right(ports.organisations.find(code)))?.disabledAt, undefined)
        equal(await disabled(), [false, false])
        equal(await right(ports.organisations.disable(code.toLowerCase(), after(5))), false)
        equal(await right(ports.organisations.enable(freshCode('none'))), false)
      },
  }),
  ...casesOf<StorePorts>('ApiKeys', {
    'a replaced key ends at the given time, or at its own end if that is earlier': async (ports) => {
      const organisation = await freshOrganisation(ports)
      const ends = async (id: string): Promise<Instant | undefined> =>
        (await right(ports.apiKeys.find(id)))?.expiresAt
      for (const [expiresAt, expected] of [
        [undefined, after(100)],
        [after(500), after(100)],
        [after(50), after(50)],
      ] as const) {
        const old = anApiKey(organisation, { expiresAt })
        const replacement = anApiKey(organisation)
        await right(ports.apiKeys.create(old))
        equal(await right(ports.apiKeys.rotate(old.id, replacement, after(100))), true)
        equal(await ends(old.id), expected)
        equal(await right(ports.apiKeys.find(replacement.id)), {
          ...replacement,
          isOrganisationDisabled: false,
        })
      }
    },
    'a key that is missing, revoked or of another organisation is not replaced, and nothing is created':
      async (ports) => {
        const [organisation, other] = [await freshOrganisation(ports), await freshOrganisation(ports)]
        const revoked = anApiKey(organisation, { revokedAt: after(1) })
        const foreign = anApiKey(other)
        for (const key of [revoked, foreign]) await right(ports.apiKeys.create(key))
        for (const id of [revoked.id, foreign.id, 'none']) {
          const replacement = anApiKey(organisation)
          equal(await right(ports.apiKeys.rotate(id, replacement, after(100))), false)
          equal(await right(ports.apiKeys.find(replacement.id)), undefined)
        }
        equal((await right(ports.apiKeys.find(foreign.id)))?.expiresAt, undefined)
      },
    'all keys of an organisation are revoked, revoked ones keep their time, keys of others do not change':
      async (ports) => {
        const [organisation, other] = [await freshOrganisation(ports), await freshOrganisation(ports)]
        const keys = [
          anApiKey(organisation, { revokedAt: after(1) }),
          anApiKey(organisation),
          anApiKey(organisation, { expiresAt: after(2) }),
          anApiKey(other),
        ]
        for (const key of keys) await right(ports.apiKeys.create(key))
        equal(await right(ports.apiKeys.revokeAll(organisation, after(9))), 2)
        equal(await right(ports.apiKeys.revokeAll(organisation, after(10))), 0)
        const found = await Promise.all(keys.map(({ id }) => right(ports.apiKeys.find(id))))
        equal(
          found.map((key) => key?.revokedAt),
          [after(1), after(9), after(9), undefined],
        )
        equal(await right(ports.apiKeys.revokeAll(freshCode('none'), after(9))), 0)
      },
    'a use is stored unless one after the given time is stored; the stored time never decreases': async (
      ports,
    ) => {
      const key = anApiKey(await freshOrganisation(ports))
      await right(ports.apiKeys.create(key))
      const used = async (): Promise<Instant | undefined> =>
        (await right(ports.apiKeys.find(key.id)))?.lastUsedAt
      const uses = [
        [after(100), after(40), after(100)],
        [after(130), after(70), after(100)],
        [after(160), after(100), after(160)],
        [after(20), after(-40), after(160)],
      ] as const
      for (const [at, since, expected] of uses) {
        await right(ports.apiKeys.noteUse(key.id, at, since))
        equal(await used(), expected)
      }
      await right(ports.apiKeys.noteUse('none', after(1), after(0)))
      const listed = (await right(ports.apiKeys.list())).find(({ id }) => id === key.id)
      equal(listed, { ...key, lastUsedAt: after(160) })
    },
  }),
  ...casesOf<StorePorts>('OperationsTeams', {
    'a team is open to all until it is bound, and then to its organisations': async (ports) => {
      const { operationsTeams } = ports
      const [one, two, three] = [
        await freshOrganisation(ports),
        await freshOrganisation(ports),
        await freshOrganisation(ports),
      ]
      const [bound, free] = [await freshTeam(ports), await freshTeam(ports)]
      const all = [one, two, three]
      equal(await isOpenTo(ports, bound, all), [true, true, true])
      for (const organisation of [two, one, one])
        equal(await right(operationsTeams.bind(bound, organisation)), 'bound')
      equal(await isOpenTo(ports, bound, all), [true, true, false])
      equal(await isOpenTo(ports, bound, [one.toLowerCase(), `${one} `]), [false, false])
      equal(await isOpenTo(ports, free, all), [true, true, true])
      const listed = (await right(operationsTeams.listAll())).filter(({ name }) =>
        [bound, free].includes(name),
      )
      equal(
        listed.toSorted(({ name }) => (name === bound ? -1 : 1)),
        [
          { name: bound, organisations: [one, two].toSorted() },
          { name: free, organisations: [] },
        ],
      )
      equal(await right(operationsTeams.unbind(bound, one)), true)
      equal(await right(operationsTeams.unbind(bound, one)), false)
      equal(await isOpenTo(ports, bound, all), [false, true, false])
      equal(await right(operationsTeams.unbind(bound, two)), true)
      equal(await isOpenTo(ports, bound, all), [true, true, true])
    },
    'a team or organisation that is missing, or only looks alike, is not bound': async (ports) => {
      const { operationsTeams } = ports
      const organisation = await freshOrganisation(ports)
      const team = await freshTeam(ports)
      for (const name of [freshCode('none'), team.toUpperCase(), `${team} `])
        equal(await right(operationsTeams.bind(name, organisation)), 'team_does_not_exist')
      for (const code of [freshCode('none'), organisation.toLowerCase(), `${organisation} `])
        equal(await right(operationsTeams.bind(team, code)), 'organisation_does_not_exist')
      equal(await right(operationsTeams.bind(team, organisation)), 'bound')
      for (const code of [freshCode('none'), organisation.toLowerCase()])
        equal(await right(operationsTeams.unbind(team, code)), false)
      equal(await isOpenTo(ports, team, [organisation]), [true])
    },
  }),
]
