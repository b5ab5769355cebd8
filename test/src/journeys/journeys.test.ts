import test from 'ava'
import { additionJourneys } from './cases/additions.js'
import { importJourneys } from './cases/imports.js'
import { registerBackends } from './support/backends.js'
import { openWorld } from './support/world.js'

for (const backend of registerBackends())
  for (const { title, run } of [...importJourneys, ...additionJourneys])
    test(`${title} (${backend.name})`, (t) => run(t, (options) => openWorld(t, backend, options)))
