#!/usr/bin/env node
// npm links a bin when it installs, before anything is built: so this file is there from the beginning. npm links one of two bins
// of the same name: where the server is installed too, its program runs, which has the same commands and its own.
const serverBeside = () => {
  try {
    return import.meta.resolve('@account-import/server')
  } catch {
    return import.meta.url
  }
}

await import(new URL('../bundle/main.js', serverBeside()).href)
