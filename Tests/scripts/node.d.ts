// What the tests use of Node. (Debian packages no description of it that fits TypeScript 4.8.)
declare module "node:assert/strict";
declare module "node:fs";
declare module "node:test";
declare function setImmediate(call: (value?: any) => void): void;
