/** @typedef {{index: number, attribute: string | null, text: string, name: string | undefined}} Slot */

/**
 * A drawing of the server with names in braces in place of values: `<a href="/messages/{chat}">{name}</a>`. A part that
 * not every thing has, or that a thing has several of, is a template in the template: `<template data-part="photo">`.
 */
export class Template {
  /** Belongs to no page, so that a browser doesn't load pictures by the names of their addresses. */
  #content;
  /** @type {Slot[]} */
  #attributes = [];
  /** @type {Slot[]} */
  #texts = [];
  /** @type {{index: number, name: string, template: Template}[]} */
  #parts = [];

  /** @param {HTMLTemplateElement} template */
  constructor(template) {
    this.#content = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
    for (const [index, node] of nodesOf(this.#content).entries()) {
      if (node instanceof Text) this.#note(index, null, node.data);
      else if (node instanceof HTMLTemplateElement) this.#take(index, node);
      else for (const { name, value } of node.attributes) this.#note(index, name, value);
    }
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

  #note(index, attribute, text) {
    const [, name] = text.match(/^\{(\w+)\}$/) ?? [];
    if (text.includes("{")) (attribute ? this.#attributes : this.#texts).push({ index, attribute, text, name });
  }

  /** Leaves a mark in the place of a part, so that what most things don't have isn't copied. */
  #take(index, template) {
    this.#parts.push({ index, name: template.dataset.part, template: new Template(template) });
    template.replaceWith(new Comment());
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
    const nodes = nodesOf(copy);
    const fillText = (text) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
    const valueOf = ({ text, name }) => (name ? values[name] : fillText(text));
    for (const slot of this.#attributes) set(nodes[slot.index], slot.attribute, valueOf(slot));
    document.adoptNode(copy);
    for (const slot of this.#texts) nodes[slot.index].replaceWith(...[valueOf(slot)].filter(Boolean));
    for (const { index, name, template } of this.#parts) {
      const found = [values[name]].flat().filter(Boolean);
      const draw = (own) => template.fill(typeof own === "object" ? { ...values, ...own } : values);
      nodes[index].replaceWith(...found.map(draw));
    }
    return copy;
  }
}

function set(element, attribute, value) {
  if (value === false || value === null || value === undefined) element.removeAttribute(attribute);
  else element.setAttribute(attribute, value === true ? "" : value);
}

/**
 * All elements, texts and marks, in the order of the document. Templates keep theirs to themselves.
 *
 * @returns {any[]}
 */
function nodesOf(fragment) {
  const walker = document.createTreeWalker(fragment);
  const nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  return nodes;
}
