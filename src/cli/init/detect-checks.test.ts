import { execFileSync } from 'node:child_process'
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

function git(...words: readonly string[]): void {
  const person = ['-c', 'user.name=ada', '-c', 'user.email=ada@localhost']
  execFileSync('git', ['-C', directory, ...person, ...words])
}

describe('detectChecks', () => {
  it('finds the scripts in package.json that check something', async () => {
    write('package.json', JSON.stringify({ scripts: { test: 'vitest', lint: 'biome', start: 'node .' } }))
    expect(await detectChecks(directory)).toEqual({
      setup: ['npm install --no-package-lock'],
      checks: ['npm run lint', 'npm test'],
    })
  })

  it.each([
    ['package-lock.json', 'npm ci', 'npm test'],
    ['pnpm-lock.yaml', 'pnpm install --frozen-lockfile', 'pnpm test'],
    ['yarn.lock', 'yarn install --immutable', 'yarn test'],
    ['bun.lock', 'bun install --frozen-lockfile', 'bun run test'],
  ])('finds the package manager from %s', async (file, install, check) => {
    write('package.json', JSON.stringify({ scripts: { test: 'vitest' } }))
    write(file, '')
    expect(await detectChecks(directory)).toEqual({ setup: [install], checks: [check] })
  })

  it('does not trust a lock file that is not in the last commit', async () => {
    write('package.json', JSON.stringify({ scripts: { test: 'vitest' } }))
    git('init', '--quiet')
    git('add', 'package.json')
    git('commit', '--quiet', '-m', 'first')
    write('package-lock.json', '')
    git('add', 'package-lock.json')
    expect(await detectChecks(directory)).toEqual({
      setup: ['npm install --no-package-lock'],
      checks: ['npm test'],
      uncommittedLock: 'package-lock.json',
    })
    write('yarn.lock', '')
    git('commit', '--quiet', '-m', 'locked')
    expect(await detectChecks(directory)).toEqual({ setup: ['npm ci'], checks: ['npm test'] })
  })

  it('ignores the placeholder that npm writes for a missing test script', async () => {
    write('package.json', JSON.stringify({ scripts: { test: 'echo "Error: no test specified" && exit 1' } }))
    expect((await detectChecks(directory)).checks).toEqual([])
  })

  it('ignores invalid files', async () => {
    write('package.json', '{ not json')
    mkdirSync(join(directory, 'Cargo.toml'))
    expect((await detectChecks(directory)).checks).toEqual([])
  })

  it('finds cargo, go and pytest', async () => {
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

  it('uses the targets of a Makefile only if nothing else is found', async () => {
    write('Makefile', 'VERSION := 1\ntest :=\nbuild:\n\ttrue\ntest: build\n\ttrue\n')
    expect((await detectChecks(directory)).checks).toEqual(['make test'])
    write('Cargo.toml', '[package]')
    expect((await detectChecks(directory)).checks).toEqual(['cargo test'])
  })
})
