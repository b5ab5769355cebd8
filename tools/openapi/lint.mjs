// node tools/openapi/lint.mjs: what Redocly's `recommended` and Spectral's `oas` find in the OpenAPI document that the service
// publishes. One rule is off: that no path ends with a slash. All of ours do, as the specification has them.
import { bundledMarkets } from '@account-import/core'
import { openApiDocument } from '@account-import/http-contract/openapi'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore from '@stoplight/spectral-core'
import spectralParsers from '@stoplight/spectral-parsers'
import spectralRulesets from '@stoplight/spectral-rulesets'

const byRedocly = async (source) => {
  const config = await createConfig({ extends: ['recommended'], rules: { 'no-path-trailing-slash': 'off' } })
  const problems = await lintFromString({ source, config })
  return problems.map(
    ({ ruleId, message, location }) => `Redocly ${ruleId} ${location[0]?.pointer}: ${message}`,
  )
}

const bySpectral = async (source) => {
  const { Document, Spectral } = spectralCore
  const spectral = new Spectral()
  spectral.setRuleset({
    extends: [[spectralRulesets.oas, 'recommended']],
    rules: { 'path-keys-no-trailing-slash': 'off' },
  })
  const found = await spectral.run(new Document(source, spectralParsers.Json, 'openapi.json'))
  return found.map(({ code, message, path }) => `Spectral ${code} ${path.join('.')}: ${message}`)
}

const source = JSON.stringify(openApiDocument('/imports', bundledMarkets))
const findings = [...(await byRedocly(source)), ...(await bySpectral(source))]
for (const finding of findings) console.error(finding)
console.log(`OpenAPI document: ${findings.length} findings of Redocly recommended and Spectral oas`)
if (findings.length > 0) process.exitCode = 1
