import { describe, expect, it } from 'vitest'
import { findUnusual, type WorkSize } from './unusual-work.ts'

const USUAL = { files: 500, bytes: 10 * 1024 * 1024 }
const TASK = { description: 'Write UNI.md', context: '', files: [], successCriteria: [] }

function work(changes: Partial<WorkSize> = {}): WorkSize {
  const paths = changes.createdPaths ?? []
  return {
    files: 1,
    added: 3,
    removed: 0,
    bytes: 100,
    deletedFiles: 0,
    baseFiles: 100,
    createdPaths: paths,
    baseGenerated: [],
    changedPaths: paths,
    hasEscapes: false,
    ...changes,
  }
}

function unusual(changes: Partial<WorkSize>, task: Partial<typeof TASK> = {}): string {
  return findUnusual(work(changes), USUAL, { ...TASK, ...task }).join('; ')
}

describe('unusual work', () => {
  it('is not what an ordinary task changes', () => {
    expect(unusual({ createdPaths: ['UNI.md', 'src/vendor/x.ts', 'app/src/build/x.ts'], files: 500 })).toBe(
      '',
    )
    expect(unusual({ deletedFiles: 50, baseFiles: 100 })).toBe('')
    expect(unusual({ deletedFiles: 10, baseFiles: 10 })).toBe('')
  })

  it('has very many files or bytes', () => {
    expect(unusual({ files: 12_290 })).toBe('it changes 12,290 files')
    expect(unusual({ bytes: 20 * 1024 * 1024 })).toBe('its new and changed files add up to 20 MB')
  })

  it('has commit messages that command a terminal', () => {
    expect(unusual({ hasEscapes: true })).toBe('its commit messages contain terminal escape sequences')
  })

  it('deletes a large share of the files', () => {
    expect(unusual({ deletedFiles: 113, baseFiles: 150 })).toBe('it deletes 113 of the 150 files')
  })

  it('adds what repositories normally ignore', () => {
    const createdPaths = [
      'node_modules/a/x.js',
      'node_modules/b/y.js',
      'a/.venv/bin/python',
      'x/.env',
      'm.pyc',
    ]
    expect(unusual({ createdPaths })).toBe(
      'it adds files that repositories normally ignore: node_modules/, a/.venv/, x/.env and 1 more',
    )
    expect(unusual({ createdPaths: ['x/.env'] }, { description: 'Add a .env with defaults' })).toBe('')
  })

  it('adds a folder of built or copied files that is new to the repository', () => {
    const createdPaths = ['vendor/a/x.go', 'packages/a/dist/x.js', '.next/y']
    const reason = 'it adds files that repositories normally ignore:'
    expect(unusual({ createdPaths })).toBe(`${reason} vendor/, packages/a/dist/, .next/`)
    expect(unusual({ createdPaths, baseGenerated: ['x/vendor', 'dist', '.next'] })).toBe('')
    const built = { createdPaths: ['build/x.js'] }
    expect(unusual(built, { description: 'Build a page' })).toBe(`${reason} build/`)
    expect(unusual(built, { description: 'Write build/x.js' })).toBe('')
    expect(unusual(built, { context: 'It goes into the build folder.' })).toBe('')
    expect(unusual(built, { files: ['build/y.js'] as never })).toBe('')
  })

  it.each([
    'Change the yarn lock',
    'Refresh the lock of Yarn',
    'Update the lockfile',
    'Bump the left-pad package',
    'Upgrade lodash to 4.17.21',
    'Add a dependency on zod',
  ])('has the lock file that a task asks for with: %s', (description) => {
    expect(unusual({ changedPaths: ['yarn.lock'] }, { description })).toBe('')
  })

  it('has a lock file that no one asked for if the task speaks of another tool or another lock', () => {
    for (const description of ['Lock the door', 'Run yarn test', 'Release the lock; use npm']) {
      expect(unusual({ changedPaths: ['yarn.lock'] }, { description })).toContain('yarn.lock')
    }
  })

  it('changes a lock file without its manifest, unless the task asks for it', () => {
    const locked = { changedPaths: ['package-lock.json', 'index.js'] }
    expect(unusual(locked)).toBe("it changes a lock file that the task doesn't ask for: package-lock.json")
    expect(unusual({ changedPaths: ['package-lock.json', 'packages/a/package.json'] })).toBe('')
    expect(unusual(locked, { description: 'Update the dependencies' })).toBe('')
    expect(unusual(locked, { context: 'package-lock.json is out of date' })).toBe('')
    expect(unusual(locked, { files: ['package-lock.json'] as never })).toBe('')
  })
})
