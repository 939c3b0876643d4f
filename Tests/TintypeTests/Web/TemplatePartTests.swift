import HTML
import Testing

@testable import Core

@Suite("Parts of templates")
struct TemplatePartTests {
    @Test("A part of a page is drawn for each of its values, and a part of a template as a template")
    func parts() {
        func html(_ part: TemplatePart<String>) -> String {
            String(decoding: part.draw { value in b { value } }.rendered(), as: UTF8.self)
        }
        #expect(html(.init(["one", "two"])) == "<b>one</b><b>two</b>")
        #expect(html(.init(nil)) == "")
        let template = #"<template data-part="name"><b>{name}</b></template>"#
        #expect(html(.init(named: "name", "{name}")) == template)
    }
}
