import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { detectChecks } from './detect-checks.ts'

let directory = ''

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'muster-cli-'))
})

afterEach(() => rm(directory, { recursive: true, force: true }))

function write(name: string, text: string): void {
  writeFileSync(join(directory, name), text)
}

describe('detectChecks', () => {
  it('takes the scripts of package.json that test something, with the package manager in use', async () => {
    write('package.json', JSON.stringify({ scripts: { test: 'vitest', lint: 'biome', start: 'node .' } }))
    expect(await detectChecks(directory)).toEqual({
      setup: ['npm install'],
      checks: ['npm run lint', 'npm test'],
    })
  })

  it.each([
    ['package-lock.json', 'npm ci', 'npm test'],
    ['pnpm-lock.yaml', 'pnpm install --frozen-lockfile', 'pnpm test'],
    ['yarn.lock', 'yarn install --immutable', 'yarn test'],
    ['bun.lock', 'bun install --frozen-lockfile', 'bun run test'],
  ])('sets a fresh tree up with what %s says', async (file, install, check) => {
    write('package.json', JSON.stringify({ scripts: { test: 'vitest' } }))
    write(file, '')
    expect(await detectChecks(directory)).toEqual({ setup: [install], checks: [check] })
  })

  it('does not take the script that npm writes when there are no tests', async () => {
    write('package.json', JSON.stringify({ scripts: { test: 'echo "Error: no test specified" && exit 1' } }))
    expect((await detectChecks(directory)).checks).toEqual([])
  })

  it('survives files that are not what their names say', async () => {
    write('package.json', '{ not json')
    mkdirSync(join(directory, 'Cargo.toml'))
    expect((await detectChecks(directory)).checks).toEqual([])
  })

  it('knows cargo, go and pytest', async () => {
    write('Cargo.toml', '[package]')
    write('go.mod', 'module x')
    write('pyproject.toml', '[tool.pytest.ini_options]\n')
    expect((await detectChecks(directory)).checks).toEqual([
      'cargo test',
      'go vet ./...',
      'go test ./...',
      'python -m pytest -q',
    ])
  })

  it('takes the targets of a Makefile only when nothing else is found', async () => {
    write('Makefile', 'VERSION := 1\ntest :=\nbuild:\n\ttrue\ntest: build\n\ttrue\n')
    expect((await detectChecks(directory)).checks).toEqual(['make test'])
    write('Cargo.toml', '[package]')
    expect((await detectChecks(directory)).checks).toEqual(['cargo test'])
  })
})
