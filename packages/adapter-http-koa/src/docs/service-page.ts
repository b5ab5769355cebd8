import { html, type Html, noHtml } from '@account-import/core/html'
import { type HealthCode, type Readiness, readinessStatus } from '../probes.js'
import { servicePageFrame } from './site-files.js'

/** The contents of the page at the address of the service. */
export type ServicePageParts = Readonly<{
  readiness?: (() => Promise<Readiness>) | undefined
  /** A section below the state, such as that of demo data. Everybody can read it. */
  introduction?: (() => Promise<Html>) | undefined
  /** Whether the service has the console. */
  hasConsole: boolean
}>

const tones = { ok: 'good', ready: 'good', degraded: 'warn', unknown: 'bad', failed: 'bad', not_ready: 'bad' }

const chip = (name: string, state: keyof typeof tones, code?: HealthCode): Html =>
  html`<li class="chip ${tones[state]}">${name} ${state.replace('_', ' ')}${code === undefined ? '' : `: ${code}`}</li> `

/** The same states as those of `/readyz`. */
const stateOf = (checks: Readiness): Html => html`<ul class="chips">
  ${chip('service', readinessStatus(checks))}
  ${Object.entries(checks).map(([name, found]) =>
    chip(name.replace('_', ' '), found.state, found.state === 'ok' ? undefined : found.code),
  )}
</ul> `

const consoleLink = html`<p>The <a href="console/">console</a> shows suppliers, runs and accounts, after a login with an API key.</p> `

/**
 * The page about this service: its state, an introduction, and the next step of each role. It needs no token, so it tells strangers
 * no more than `/readyz` does.
 */
export const servicePage = async ({
  readiness,
  introduction,
  hasConsole,
}: ServicePageParts): Promise<string> => {
  const [frame, checks, section] = await Promise.all([servicePageFrame(), readiness?.(), introduction?.()])
  const parts = [
    checks === undefined ? noHtml : stateOf(checks),
    hasConsole ? consoleLink : noHtml,
    section ?? noHtml,
  ]
  return frame.replace('<p>PARTS</p>', () => html`${parts}`.text)
}
