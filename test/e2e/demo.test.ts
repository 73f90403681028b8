import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { processesWith } from '../support/processes.ts'
import { runCommandLine } from '../support/run-command-line.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

describe('muster demo', () => {
  it('prints plain lines into a pipe, exits with 0 and leaves nothing behind', async () => {
    await using unused = await temporaryDirectory()
    const before = new Set(await readdir(tmpdir()))
    const demo = await runCommandLine(['demo'], { home: unused.path, isFromSource: true })
    expect(demo.stderr).toMatch(/^starting the daemon in \S+\n$/)
    expect(demo.code).toBe(0)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape codes are what must not be there.
    expect(demo.stdout).not.toMatch(/\u001b/)
    expect(demo.stdout).toContain('blocked')
    expect(demo.stdout).toContain('landed')
    expect(demo.stdout).toContain('the goal is reached')
    expect(demo.stdout).toMatch(/the API was at http:\/\/127\.0\.0\.1:\d+/)
    const left = (await readdir(tmpdir())).filter((name) => !before.has(name) && /muster-demo/.test(name))
    expect(left).toEqual([])
    expect(await processesWith('muster-demo')).toEqual([])
    expect(await readdir(unused.path)).toEqual([])
  })

  it('prints JSON lines with --json', async () => {
    await using unused = await temporaryDirectory()
    const demo = await runCommandLine(['demo', '--json'], { home: unused.path })
    expect(demo.code).toBe(0)
    const values = demo.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object)
    expect(values.length).toBeGreaterThan(20)
    expect(demo.stdout).toContain('"reason":"goal-reached"')
  })
})
