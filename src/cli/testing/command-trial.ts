import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { runCli } from '../run-cli.ts'
import type { Surroundings } from '../surroundings.ts'
import { openStandInApi, type StandInApi, type StandInOptions } from './stand-in-api.ts'
import { type TestSurroundings, testSurroundings } from './test-surroundings.ts'

type Directory = AsyncDisposable & { readonly path: string }
type MakeDirectory = (prefix: string) => Promise<Directory>

/** Runs commands in a temporary directory, which is also their home, against a stand-in for the daemon. */
export function createCommandTrial(temporaryDirectory: MakeDirectory) {
  let directory: Directory
  beforeEach(async () => {
    directory = await temporaryDirectory('muster-cli')
    writeFileSync(join(directory.path, 'token'), 'secret\n')
  })
  afterEach(() => directory[Symbol.asyncDispose]())

  const surroundings = (overrides: Partial<Surroundings> = {}) =>
    testSurroundings({ cwd: directory.path, ...overrides })
  const start = (api: StandInApi, given: TestSurroundings, words: readonly string[]) =>
    runCli(given, [...words, '--server', api.url, '--home', directory.path])
  return {
    path: () => directory.path,
    surroundings,
    /** Starts a command. The test decides when the stand-in and the command end. */
    start,
    /** Runs a command to its end. */
    async run(options: StandInOptions, words: readonly string[], overrides: Partial<Surroundings> = {}) {
      await using api = await openStandInApi(options)
      const given = surroundings(overrides)
      const code = await start(api, given, words)
      const { requests, bodies } = api
      return { code, out: given.stdoutText(), err: given.stderrText(), requests, bodies }
    },
  }
}
