"""Tests that models of other simulators are read with the rates as written."""

import math

import numpy as np
import pytest

import acrasin
from acrasin import from_gillespy2, from_sbml, from_stochkit, gillespy2_format, species, stochkit_format

A, B, C = species("A B C")
RULES = [(A + B | 2 * C).k(0.5).r(4), (C >> A).k(3), (None >> B).k(2), (2 * A >> B).k(0.25), (B >> None).k(0.125)]
START = {A: 20, B: 10, C: 0}


def ways(rxns, volume):
    """Reactants, products and the rate for one choice of reactants, independent of the volume."""
    return sorted(
        (sorted(one.name for one in way.reactants.species), sorted(one.name for one in way.products.species),
         round(way.rate_constant_stochastic * volume ** (1 - way.num_reactants()), 9))
        for way in acrasin.replace_reversible_rxns(rxns)
    )


def test_what_is_no_model_is_refused_with_its_type():
    for wrong, name in [(3, "int"), (None, "NoneType"), ({}, "dict")]:
        with pytest.raises(TypeError, match=f"{name} .accepted: a gillespy2.Model"):
            from_gillespy2(wrong)


@pytest.mark.parametrize("volume", [1.0, 30.0])
def test_what_is_written_for_stochkit_is_read_again(volume, tmp_path):
    text = stochkit_format(RULES, START, volume, "five")
    (tmp_path / "model.xml").write_text(text)
    for source in (text, tmp_path / "model.xml", str(tmp_path / "model.xml")):
        model = from_stochkit(source)
        assert model.init_config == START and model.name == "five"
        assert ways(model.rxns, model.volume) == ways(RULES, volume)
    sim = model.simulation(seed=1)
    sim.run(1, timer=False)
    assert sim.interactions > 10


STOCHKIT = """<Model><Description>d</Description>
<ParametersList><Parameter><Id>c</Id><Expression>2^3</Expression></Parameter>
<Parameter><Id>half</Id><Expression>c/16</Expression></Parameter></ParametersList>
<ReactionsList>
<Reaction><Id>R1</Id><Type>mass-action</Type><Rate>c*half</Rate><Reactants><SpeciesReference id="A" stoichiometry="2"/></Reactants>
<Products><SpeciesReference id="B" stoichiometry="1"/></Products></Reaction>
<Reaction><Id>R2</Id><Type>customized</Type><PropensityFunction>LAW</PropensityFunction>
<Reactants><SpeciesReference id="A" stoichiometry="2"/></Reactants><Products/></Reaction>
</ReactionsList>
<SpeciesList><Species><Id>A</Id><InitialPopulation>10*c</InitialPopulation></Species>
<Species><Id>B</Id><InitialPopulation>0</InitialPopulation></Species></SpeciesList></Model>"""


@pytest.mark.parametrize("law, constant", [("half*A*(A-1)/2", 0.5), ("half*A*(A-1)", 1.0), ("A*A*half", 1.0), ("0", 0.0)])
def test_parameters_and_propensities_of_stochkit_are_evaluated(law, constant):
    model = from_stochkit(STOCHKIT.replace("LAW", law))
    assert [one.rate_constant for one in model.rxns] == pytest.approx([4.0, constant])
    assert model.init_config == {A: 80, B: 0}


@pytest.mark.parametrize("law", ["half*A", "A*(A-1)/(1+A)", "B*A*(A-1)", "-A*(A-1)", "Q*A*A", "__import__('os')", "A if A else 1", "A.real", "'a'", "", "1/0", "9**9**9**9", "(" * 5000])
def test_another_law_than_mass_action_is_refused(law):
    with pytest.raises(ValueError, match="accepted"):
        from_stochkit(STOCHKIT.replace("LAW", law))


@pytest.mark.parametrize("text", ["<Model/>", "<a>", "<sbml/>", STOCHKIT.replace('id="A"', 'id="Z"'), STOCHKIT.replace("10*c", "1.5")])
def test_what_is_no_model_of_stochkit_is_refused(text):
    with pytest.raises(ValueError, match="accepted"):
        from_stochkit(text.replace("LAW", "A*A"))


@pytest.mark.parametrize("volume", [1.0, 30.0])
def test_what_is_written_for_gillespy2_is_read_again(volume):
    pytest.importorskip("gillespy2")
    model = from_gillespy2(gillespy2_format(START, RULES, volume))
    assert model.init_config == START and model.volume == volume
    assert ways(model.rxns, model.volume) == ways(RULES, volume)


def test_propensities_of_gillespy2_are_compared_with_mass_action():
    gillespy2 = pytest.importorskip("gillespy2")
    for text, constant in (("k*A*B/vol", 3.0), ("k*A*B", 12.0), ("k*A/(1+B)", None)):
        model = gillespy2.Model(name="own")
        model.volume = 4.0
        model.add_species([gillespy2.Species(name="A", initial_value=5), gillespy2.Species(name="B", initial_value=5)])
        model.add_parameter(gillespy2.Parameter(name="k", expression="1+2"))
        model.add_reaction(gillespy2.Reaction(name="R", reactants={"A": 1, "B": 1}, products={"B": 2}, propensity_function=text))
        if constant is None:
            with pytest.raises(ValueError, match="mass action"):
                from_gillespy2(model)
        else:
            assert from_gillespy2(model).rxns[0].rate_constant == pytest.approx(constant)


def sbml(laws, species_of="hasOnlySubstanceUnits='true' initialAmount='{}'", size=1.0, units="item", extra="", reversible="false"):
    def side(name, molecules):
        references = "".join(f"<speciesReference species='{one}' stoichiometry='{times}' constant='true'/>" for one, times in molecules.items())
        return f"<listOf{name}>{references}</listOf{name}>" if molecules else ""

    listed = "".join(
        f"<reaction id='R{number}' reversible='{reversible}' fast='false'>{side('Reactants', before)}{side('Products', after)}"
        f"<kineticLaw><math xmlns='http://www.w3.org/1998/Math/MathML'>{law}</math>"
        "<listOfLocalParameters><localParameter id='own' value='0.5'/></listOfLocalParameters></kineticLaw></reaction>"
        for number, (before, after, law) in enumerate(laws)
    )
    counts = {"A": 100, "B": 40}
    kinds = "".join(
        f"<species id='{one}' compartment='cell' {species_of.format(count)} boundaryCondition='false' constant='false'/>"
        for one, count in counts.items()
    )
    return (
        "<?xml version='1.0'?><sbml xmlns='http://www.sbml.org/sbml/level3/version1/core' level='3' version='1'>"
        f"<model id='m' substanceUnits='{units}'><listOfCompartments><compartment id='cell' size='{size}' spatialDimensions='3' constant='true'/>"
        f"</listOfCompartments><listOfSpecies>{kinds}</listOfSpecies><listOfParameters><parameter id='k' value='3' constant='true'/>"
        f"</listOfParameters>{extra}<listOfReactions>{listed}</listOfReactions></model></sbml>"
    )


def law(text):
    libsbml = pytest.importorskip("libsbml")
    written = libsbml.writeMathMLToString(libsbml.parseL3Formula(text))
    return written[written.index(">", written.index("<math")) + 1 : written.index("</math>")]


def test_sbml_in_molecules_has_the_constants_of_its_laws(tmp_path):
    text = sbml([({"A": 1}, {"B": 1}, law("k*A")), ({"A": 2}, {"B": 1}, law("own*A*(A-1)/2")), ({}, {"A": 1}, law("k*cell*2")),
                 ({"A": 1, "B": 1}, {}, law("k*A*B"))])
    (tmp_path / "m.xml").write_text(text)
    for source in (text, tmp_path / "m.xml"):
        model = from_sbml(source)
        assert model.init_config == {A: 100, B: 40}
        assert [one.rate_constant for one in model.rxns] == pytest.approx([3, 0.5, 6, 3])
    found = []
    for seed in range(200):
        sim = from_sbml(sbml([({"A": 1}, {"B": 1}, law("k*A/3"))])).simulation(seed=seed)
        sim.run(1, history_interval=math.inf, timer=False)
        found.append(sim.config_dict[A])
    assert abs(np.mean(found) - 100 / math.e) < 1.5


def test_sbml_in_concentrations_and_moles():
    # In a cell of size 2 the concentrations are half of the amounts: k (A / 2) (B / 2) * 2 = k A B / 2.
    model = from_sbml(sbml([({"A": 1, "B": 1}, {}, law("cell*k*A*B"))], "hasOnlySubstanceUnits='false' initialConcentration='{}'", 2.0))
    assert model.init_config == {A: 200, B: 80} and model.rxns[0].rate_constant == pytest.approx(1.5)
    model = from_sbml(sbml([({"A": 1, "B": 1}, {}, law("k*A*B"))], "hasOnlySubstanceUnits='true' initialAmount='{}e-23'", 1.0, "mole"))
    assert model.init_config == {A: round(100e-23 * acrasin.avogadro), B: round(40e-23 * acrasin.avogadro)}
    assert model.rxns[0].rate_constant == pytest.approx(3 / acrasin.avogadro)


def test_a_reversible_law_of_sbml_is_two_reactions():
    model = from_sbml(sbml([({"A": 1}, {"B": 2}, law("k*A - own*B^2"))], reversible="true"))
    assert [(str(one.reactants), one.rate_constant) for one in model.rxns] == [("A", 3), ("B + B", 1)]


@pytest.mark.parametrize(
    "text",
    [
        "<sbml/>",
        "<nothing>",
        lambda: sbml([]),
        lambda: sbml([({"A": 1}, {"B": 1}, law("k*A/(1+A)"))]),
        lambda: sbml([({"A": 1}, {"B": 1}, law("k*A*time"))]),
        lambda: sbml([({"A": 1.5}, {"B": 1}, law("k*A"))]),
        lambda: sbml([({"A": 1}, {"B": 1}, law("k*A"))], extra="<listOfRules><rateRule variable='k'><math xmlns='http://www.w3.org/1998/Math/MathML'><cn>1</cn></math></rateRule></listOfRules>").replace("value='3' constant='true'", "value='3' constant='false'"),
        lambda: sbml([({"A": 1}, {"B": 1}, law("k*A"))], "hasOnlySubstanceUnits='true' initialAmount='{}.5'"),
    ],
)
def test_sbml_that_is_more_than_mass_action_is_refused(text):
    pytest.importorskip("libsbml")
    with pytest.raises(ValueError, match="accepted"):
        from_sbml(text if isinstance(text, str) else text())


def test_a_model_in_which_nothing_can_happen_is_refused():
    start, end = STOCHKIT.index("<Reaction>"), STOCHKIT.index("</ReactionsList>")
    with pytest.raises(ValueError, match="model 'd' has 2 species and no reactions"):
        from_stochkit(STOCHKIT[:start] + STOCHKIT[end:])


def test_files_that_are_not_there_are_said():
    with pytest.raises(FileNotFoundError):
        from_stochkit("nowhere.xml")
