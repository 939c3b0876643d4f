/**
 * A place for values: the text of a node or of its attribute, which may be one name, or pieces of which each second is a
 * name.
 *
 * @typedef {{node: number, attribute?: string, name: string | null, pieces: string[]}} Slot
 */

/**
 * A drawing of the server with names in braces in place of values: `<a href="/messages/{chat}">{name}</a>`. A part that
 * not every thing has, or that a thing has several of, is a template in the template: `<template data-part="photo">`.
 */
export class Template {
  /** What all drawings have: without the parts, and without the attributes that have names in them. */
  #content;
  /** @type {Slot[]} */
  #attributes = [];
  /** @type {Slot[]} */
  #texts = [];
  /** @type {{name: string, template: Template, parent: number, next: number}[]} */
  #parts = [];
  /** How many of the first nodes have to be found to be filled. */
  #count;

  /** @param {HTMLTemplateElement} template */
  constructor(template) {
    this.#content = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
    const nested = [...this.#content.querySelectorAll("template")];
    const places = nested.map((part) => ({ part, parent: part.parentNode, next: nextOf(part) }));
    for (const part of nested) part.remove();
    const nodes = nodesOf(this.#content);
    for (const { part, parent, next } of places) {
      const place = { parent: nodes.indexOf(parent), next: nodes.indexOf(next) };
      this.#parts.push({ name: part.dataset.part, template: new Template(part), ...place });
    }
    for (const [node, { data, attributes = [] }] of nodes.entries()) {
      if (data?.includes("{")) this.#texts.push({ node, ...read(data) });
      for (const { name, value } of [...attributes].filter((one) => one.value.includes("{"))) {
        this.#attributes.push({ node, attribute: name, ...read(value) });
        nodes[node].removeAttribute(name);
      }
    }
    const last = [...this.#attributes, ...this.#texts].map(({ node }) => node);
    this.#count = 1 + Math.max(-1, ...last, ...this.#parts.flatMap(({ parent, next }) => [parent, next]));
    document.adoptNode(this.#content);
  }

  /**
   * Finds a template by its name.
   *
   * @param {ParentNode} place
   * @param {string} name
   */
  static in(place, name) {
    return new Template(place.querySelector(`template[data-template="${name}"]`));
  }

  /** The names of the parts. */
  get names() {
    return this.#parts.map(({ name }) => name);
  }

  /** @param {string} name @returns {Template} a part, to draw it alone */
  part(name) {
    return this.#parts.find((part) => part.name === name).template;
  }

  /**
   * Draws it with some values.
   *
   * A name that is all of a text may have a node for a value. Where a name is all of an attribute, `true` sets that without
   * a value, and `false`, `null` and `undefined` leave it out. A part is drawn for what its name has for a value: not at all
   * for what is empty, once for each of several; an object has values of its own for the part.
   *
   * @param {Record<string, any>} values
   * @returns {DocumentFragment}
   */
  fill(values) {
    const copy = /** @type {DocumentFragment} */ (this.#content.cloneNode(true));
    const nodes = nodesOf(copy, this.#count);
    for (const slot of this.#attributes) {
      const value = valueOf(slot, values);
      if (value === true) nodes[slot.node].setAttribute(slot.attribute, "");
      else if (value !== false && value !== null && value !== undefined) {
        nodes[slot.node].setAttribute(slot.attribute, value);
      }
    }
    for (const { name, template, parent, next } of this.#parts) {
      const value = values[name];
      if (!value) continue;
      for (const own of Array.isArray(value) ? value : [value]) {
        const drawn = template.fill(typeof own === "object" ? { ...values, ...own } : values);
        (nodes[parent] ?? copy).insertBefore(drawn, nodes[next] ?? null);
      }
    }
    for (const slot of this.#texts) {
      const { node } = slot;
      const value = valueOf(slot, values);
      if (value instanceof Node) nodes[node].replaceWith(value);
      else if (value) nodes[node].data = value;
      else nodes[node].remove();
    }
    return copy;
  }
}

/** The node before which a part is drawn, if there is one: another part may be drawn there too. */
function nextOf(part) {
  let next = part.nextSibling;
  while (next instanceof HTMLTemplateElement) next = next.nextSibling;
  return next;
}

function read(text) {
  const pieces = text.split(/\{(\w+)\}/);
  return { pieces, name: pieces.length === 3 && !pieces[0] && !pieces[2] ? pieces[1] : null };
}

/** The value of a text that is one name, or the whole text. */
function valueOf({ name, pieces }, values) {
  if (name) return values[name];
  return pieces.map((piece, index) => (index % 2 ? (values[piece] ?? "") : piece)).join("");
}

/**
 * The first elements and texts, in the order of the document.
 *
 * @param {Node} root
 * @param {number} count of them, at most
 * @param {any[]} nodes
 */
function nodesOf(root, count = Infinity, nodes = []) {
  for (let node = root.firstChild; node && nodes.length < count; node = node.nextSibling) {
    nodes.push(node);
    nodesOf(node, count, nodes);
  }
  return nodes;
}
